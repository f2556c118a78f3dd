-- A list for each bucket, oldest hit first. Those of a clock up to a minute ahead stay; later ones count then.
local now, wait, newest_of = tonumber(ARGV[1]), 0, {}
for number, key in ipairs(KEYS) do
  local limit, span = tonumber(ARGV[2 * number]), tonumber(ARGV[2 * number + 1])
  local function hit_at(index) return tonumber(redis.call('LINDEX', key, index)) end
  while (hit_at(-1) or now) > now + 60000000 do redis.call('RPOP', key) end
  while (hit_at(0) or now) <= now - span do redis.call('LPOP', key) end
  local count = redis.call('LLEN', key)
  newest_of[number] = hit_at(-1) or now
  if count >= limit then wait = math.max(wait, hit_at(count - limit) + span - now) end
end
if wait > 0 then return string.format('%.0f', wait) end
for number, key in ipairs(KEYS) do
  redis.call('RPUSH', key, string.format('%.0f', math.max(now, newest_of[number])))
  redis.call('PEXPIRE', key, math.ceil(tonumber(ARGV[2 * number + 1]) / 1000))
end
return '0'
