-- Replaces sagas that have ended by their tombstones. KEYS: the sagas; then perhaps others, only declared. ARGV: the
-- time before which they must have ended, the token of the tombstones; then per saga the member of the index by which it
-- was found. Returns how many were replaced.
local purged = 0
for i = 1, #ARGV - 2 do
  local key = KEYS[i]
  local id, last = idOf(key), lastOf(key)
  local members, mayGo = {}, false
  if isText(last) and not isTombstone(last) and not isTooShort(last) and number(endOf(last)) < number(ARGV[1]) then
    members[1] = 'd' .. indexedWakeUpOf(last) .. id
    mayGo = addMembers(members, id, last, call('LINDEX', key, 0))
  end
  if mayGo then
    call('RPUSH', key, 'T' .. sub(last, 2, 5) .. ARGV[2] .. sub(last, 14, 21))
    call('LTRIM', key, -1, -1)
    addToIndex(key, { 'g' .. endOf(last) .. id })
    removeFromIndex(key, members)
    purged = purged + 1
  else
    removeFromIndex(key, { ARGV[2 + i] }) -- Nothing has ended there, or it is damaged: it would be met again and again.
  end
end
return purged
