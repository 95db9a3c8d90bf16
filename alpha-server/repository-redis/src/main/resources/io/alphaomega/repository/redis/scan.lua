-- Reads indexes in order. KEYS: the indexes. ARGV: how many members of each; ZRANGEBYLEX or ZREVRANGEBYLEX; the bits of
-- the mark that a member must have if it has one, as position and value of one byte and of another (empty: none); then
-- per index the first and the last member to look at, as that wants them, where in a member the saga's id begins, or 0 if
-- its summary is not wanted, and how many bytes come after the id. Returns per index: member and, if wanted, header and
-- summary in turn, the last member looked at (or an empty one), 1 if there may be more.
local limit, command = ARGV[1], ARGV[2]
local byte, band = string.byte, bit.band
local at1, bit1, at2, bit2 = byte(ARGV[3], 1, 4)

-- A search may look at a million of them.
local function isMarked(member)
  return not at1 or band(byte(member, at1 - 9), bit1) ~= 0 and band(byte(member, at2 - 9), bit2) ~= 0
end

local function page(index, first, last, idAt, after)
  local members = call(command, index, first, last, 'LIMIT', '0', limit)
  local found, looked, more = {}, '', #members == tonumber(limit) and 1 or 0
  for i = 1, #members do
    local member = members[i]
    if after == 0 or isMarked(member) then
      if isReadEnough() then
        more = 1
        break
      end
      found[#found + 1] = member
      if idAt > 0 then
        local header, summary = summaryOf(bucketOf(index) .. ':' .. sub(member, idAt, -1 - after))
        found[#found + 1] = header
        found[#found + 1] = summary
      end
    end
    looked = member
  end
  found[#found + 1] = looked
  found[#found + 1] = more
  return found
end

local pages = {}
for i, index in ipairs(KEYS) do
  local at = 4 * i
  pages[i] = page(index, ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]))
end
return pages
