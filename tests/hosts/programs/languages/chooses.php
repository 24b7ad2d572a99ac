<?php // ctype is an extension, which php is told of by its configuration
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line);
    if ($message->type === 'hello' && ctype_alpha($message->type)) {
        echo '{"type":"ready"}', "\n";
    } elseif ($message->type === 'act') {
        echo json_encode(['type' => 'act', 'ply' => $message->ply, 'action' => $message->legal[0]]), "\n";
    }
}
