-- Reads indexes in order. KEYS: the indexes. ARGV: how many members of each; ZRANGEBYLEX or ZREVRANGEBYLEX; then per
-- index the first and the last member to look at, as that wants them, and where in a member the saga's id begins, or 0
-- if its summary is not wanted. Returns per index: member and, if wanted, header and summary in turn, at last 1 if there
-- may be more.
local function page(index, first, last, idAt)
  local members = call(ARGV[2], index, first, last, 'LIMIT', 0, ARGV[1])
  local found = members
  if idAt > 0 then
    found = {}
    for i, member in ipairs(members) do
      if isReadEnough() then
        found[#found + 1] = 1
        return found
      end
      local key = bucketOf(index) .. ':' .. sub(member, idAt)
      local record, header = lastOf(key), redis.pcall('LINDEX', key, 0)
      local known = isText(record) and isText(header) and not isTombstone(record) and not isTooShort(record)
      found[3 * i - 2] = member
      found[3 * i - 1] = known and header or ''
      found[3 * i] = known and sub(record, 1, 52 + struct.unpack('>H', record, 51)) or ''
    end
  end
  found[#found + 1] = #members == tonumber(ARGV[1]) and 1 or 0
  return found
end

local pages = {}
for i, index in ipairs(KEYS) do
  pages[i] = page(index, ARGV[3 * i], ARGV[3 * i + 1], tonumber(ARGV[3 * i + 2]))
end
return pages
