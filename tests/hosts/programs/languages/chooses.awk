/"type":"hello"/ { print "{\"type\":\"ready\"}"; fflush() }
/"type":"act"/ {
    match($0, /"ply":[0-9]+/)
    ply = substr($0, RSTART + 6, RLENGTH - 6)
    match($0, /"legal":\["[^"]*"/)
    printf "{\"type\":\"act\",\"ply\":%s,\"action\":%s}\n", ply, substr($0, RSTART + 9, RLENGTH - 9)
    fflush()
}
