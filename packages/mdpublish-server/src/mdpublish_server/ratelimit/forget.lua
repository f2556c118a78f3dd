for _, hit in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  for number = 2, #KEYS do redis.call('LREM', KEYS[number], 1, hit) end
end
return redis.call('DEL', KEYS[1])
