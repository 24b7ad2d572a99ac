io.stdout:setvbuf("line")
for line in io.lines() do
  if line:find('"type":"hello"', 1, true) then
    print('{"type":"ready"}')
  elseif line:find('"type":"act"', 1, true) then
    print(('{"type":"act","ply":%s,"action":%s}'):format(line:match('"ply":(%d+)'), line:match('"legal":%[("[^"]*")')))
  end
end
