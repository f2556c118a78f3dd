-- One list per account, oldest hit first; O(1) amortized.
local key, now, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local function call_at(index) return tonumber(redis.call('LINDEX', key, index)) end
local newest = call_at(-1)
while newest and newest > now + window do redis.call('RPOP', key); newest = call_at(-1) end
local moment = math.max(now, newest or now)
local oldest = call_at(0)
while oldest and oldest <= moment - window do redis.call('LPOP', key); oldest = call_at(0) end
local count = redis.call('LLEN', key)
local allowed = count < limit
if allowed then
  count = redis.call('RPUSH', key, string.format('%.0f', moment))
  redis.call('EXPIRE', key, ARGV[4])
end
return {allowed and 1 or 0, count, redis.call('LINDEX', key, math.max(0, count - limit))}
