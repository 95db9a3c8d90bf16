-- Replaces sagas that have ended by their tombstones. KEYS: the sagas. ARGV: the time before which they must have
-- ended, the token of the tombstones. Returns how many were replaced.
local purged = 0
for _, key in ipairs(KEYS) do
  local bucket, id, last = bucketOf(key), idOf(key), lastOf(key)
  if isText(last) and not isTombstone(last) and endOf(last) < tonumber(ARGV[1]) then
    for _, service in ipairs(servicesOf(call('LINDEX', key, 0))) do
      call('ZREM', bucket .. '/service/' .. service, id)
    end
    call('ZREM', bucket .. '/state/' .. stateOf(last), id)
    call('ZREM', bucket .. '/due', id)
    call('RPUSH', key, 'T' .. sub(last, 2, 5) .. ARGV[2] .. sub(last, 14, 22))
    call('LTRIM', key, -1, -1)
    call('ZADD', bucket .. '/gone', endOf(last), id)
    call('ZREM', bucket .. '/ended', id)
    purged = purged + 1
  elseif not isText(last) or isTombstone(last) or endOf(last) == NEVER then
    call('ZREM', bucket .. '/ended', id) -- It would be met for ever.
  else
    call('ZADD', bucket .. '/ended', endOf(last), id)
  end
end
return purged
