input <- file("stdin", open = "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  if (grepl('"type":"hello"', line, fixed = TRUE)) {
    cat('{"type":"ready"}\n')
  } else if (grepl('"type":"act"', line, fixed = TRUE)) {
    ply <- sub('.*"ply":([0-9]+).*', "\\1", line)
    action <- sub('.*"legal":\\[("[^"]*").*', "\\1", line)
    cat('{"type":"act","ply":', ply, ',"action":', action, '}\n', sep = "")
  }
  flush(stdout())
}
