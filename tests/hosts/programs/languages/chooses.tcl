fconfigure stdout -buffering line
while {[gets stdin line] >= 0} {
    if {[string match {*"type":"hello"*} $line]} {
        puts {{"type":"ready"}}
    } elseif {[regexp {"type":"act".*"ply":(\d+).*"legal":\[("[^"]*")} $line - ply action]} {
        puts "{\"type\":\"act\",\"ply\":$ply,\"action\":$action}"
    }
}
