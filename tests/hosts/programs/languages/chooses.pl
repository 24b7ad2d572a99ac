use strict;
use warnings;
use JSON::PP;

$| = 1;
while (my $line = <STDIN>) {
    my $message = decode_json($line);
    if ($message->{type} eq 'hello') {
        print encode_json({type => 'ready'}), "\n";
    } elsif ($message->{type} eq 'act') {
        print encode_json({type => 'act', ply => $message->{ply}, action => $message->{legal}[0]}), "\n";
    }
}
