require 'json'

$stdout.sync = true
while (line = $stdin.gets)
  message = JSON.parse(line)
  case message['type']
  when 'hello' then puts JSON.generate(type: 'ready')
  when 'act' then puts JSON.generate(type: 'act', ply: message['ply'], action: message['legal'].first)
  end
end
