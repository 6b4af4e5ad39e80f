-- IDs in SQLite: their times, texts and fields; IDs from their texts; and the bounds of a time. SQLite 3.40 or newer.
--
-- SQLite has no functions in SQL, so this file has queries with expressions to copy. It changes nothing: the program
-- `sqlite3` prints the samples. Each specification has three queries:
--
-- 1. From an ID: its time, text and fields. Every column is an expression of `id` alone, deterministic and without a
--    subquery. With the name of your column for `id`, it also works in a view, an index or a generated column. In a
--    view, a column that the query does not use costs nothing.
-- 2. From a text: whether it is an ID, and the ID. Replace the samples by your texts, or by a SELECT of them.
-- 3. From a moment: the least and the greatest ID of its millisecond (Event ID: microsecond). A moment is TEXT that
--    SQLite's date functions read and that begins with a date: '2024-06-06 06:06:06.666', in UTC, or with Z or an
--    offset.
--
-- The queries 2 and 3 need subqueries, because they compute the parts of an ID once and use them several times.
--
-- Columns of IDs: BLOB of 20 bytes for SCRU160; BLOB of 16 bytes for EUID, RON UID and Event ID; INTEGER for Ulid-Flake.
-- Times are TEXT in UTC with milliseconds (Event ID: microseconds), in the form of SQLite's functions, so they compare
-- as texts. A time after the year 9999 is NULL, because SQLite's functions end there.
--
-- SQLite cannot report an error in an expression. The result is NULL for an ID of the wrong type (such as TEXT instead
-- of BLOB), of the wrong length or with bits that the specification forbids; for a text that is not an ID; and for a
-- moment that is not a time of the specification. The columns `_is_valid` are 1 or 0, and NULL for NULL.
--
-- To find rows by time, compare the ID with bounds: the query uses the primary key or an index of the ID. The third
-- query computes bounds, and the command `sortid range --sql TABLE.COLUMN --dialect sqlite` prints the whole query:
--
--     SELECT * FROM orders WHERE id BETWEEN x'0C7F613C7A5000000000000000000000' AND x'0C7F613C7A57FFFFFFFFFFFFFFFFFFFF';
--
-- Names and hashes of RON UIDs have no time, but can be between the bounds: add AND ron_uid_time IS NOT NULL.
--
-- Nothing here makes an ID: SQLite has no state for the order of new IDs. Make them with the library or the program.
--
-- Three facts explain the expressions:
--
-- - SQLite has no function that reads hex digits, but JSON does: "\u1ABC" is the character with the number x'1ABC'. So
--   unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') is 4096 plus the number of the hex digits 7, 8 and 9.
-- - The operators <<, >>, & and | have one precedence, below + and -, and apply from the left.
-- - SQLite 3.40 has no function that writes a byte, so substr takes it from a BLOB of all bytes.

-- ==== scru160 ====

WITH ids (id) AS (VALUES (x'017BDF6431BB33750751EB63BEB3C3F8C5969D86'))
SELECT
    id,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        strftime('%Y-%m-%d %H:%M:%f', (
            (unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') - 4096 << 36)
            + (unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') - 4096 << 24)
            + (unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') - 4096 << 12)
            + (unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') - 4096)
        ) / 1000.0, 'unixepoch')
    END AS scru160_time,
    -- 32 digits of 5 bits. Each is within three hex digits.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 3, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 6, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 9, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 12, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 13, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 16, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 17, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 19, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 22, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 23, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 26, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 28, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 29, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 31, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 32, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 33, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 34, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 36, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 37, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 38, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (
            unicode(('"\u1' || substr(hex(id), 38, 3) || '"') ->> '$') & 31), 1)
    END AS scru160_text,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        (unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') - 4096 << 36)
        + (unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') - 4096 << 24)
        + (unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') - 4096 << 12)
        + (unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') - 4096)
    END AS scru160_timestamp,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        (unicode(('"\u1' || substr(hex(id), 13, 3) || '"') ->> '$') - 4096 << 4)
        + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 15)
    END AS scru160_counter,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        (unicode(('"\u1' || substr(hex(id), 17, 3) || '"') ->> '$') - 4096 << 4)
        + (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') & 15)
    END AS scru160_random16,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        substr(id, 11)
    END AS scru160_random80
FROM ids;

WITH inputs (input) AS (VALUES ('05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6'), ('nonsense')),
-- All bytes, the byte n at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB))),
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND instr(input, char(0)) = 0 AND (
        length(input) = 32 AND input NOT GLOB '*[^0-9A-Va-v]*' OR length(input) = 40 AND input NOT GLOB '*[^0-9A-Fa-f]*'
    ) THEN upper(input) END
    FROM inputs
),
-- 160 bits as four numbers of 40 bits: 8 digits of base32hex each, or 10 of hex.
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        CASE length(text) WHEN 32 THEN
            (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 1, 1)) << 35)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 2, 1)) << 30)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 3, 1)) << 25)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 4, 1)) << 20)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 5, 1)) << 15)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 6, 1)) << 10)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 7, 1)) << 5)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 8, 1)))
        WHEN 40 THEN
            (unicode(('"\u1' || substr(text, 1, 3) || '"') ->> '$') - 4096 << 28)
            + (unicode(('"\u1' || substr(text, 4, 3) || '"') ->> '$') - 4096 << 16)
            + (unicode(('"\u1' || substr(text, 7, 3) || '"') ->> '$') - 4096 << 4)
            + (unicode(('"\u1' || substr(text, 8, 3) || '"') ->> '$') & 15)
        END,
        CASE length(text) WHEN 32 THEN
            (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 9, 1)) << 35)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 10, 1)) << 30)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 11, 1)) << 25)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 12, 1)) << 20)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 13, 1)) << 15)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 14, 1)) << 10)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 15, 1)) << 5)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 16, 1)))
        WHEN 40 THEN
            (unicode(('"\u1' || substr(text, 11, 3) || '"') ->> '$') - 4096 << 28)
            + (unicode(('"\u1' || substr(text, 14, 3) || '"') ->> '$') - 4096 << 16)
            + (unicode(('"\u1' || substr(text, 17, 3) || '"') ->> '$') - 4096 << 4)
            + (unicode(('"\u1' || substr(text, 18, 3) || '"') ->> '$') & 15)
        END,
        CASE length(text) WHEN 32 THEN
            (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 17, 1)) << 35)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 18, 1)) << 30)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 19, 1)) << 25)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 20, 1)) << 20)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 21, 1)) << 15)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 22, 1)) << 10)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 23, 1)) << 5)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 24, 1)))
        WHEN 40 THEN
            (unicode(('"\u1' || substr(text, 21, 3) || '"') ->> '$') - 4096 << 28)
            + (unicode(('"\u1' || substr(text, 24, 3) || '"') ->> '$') - 4096 << 16)
            + (unicode(('"\u1' || substr(text, 27, 3) || '"') ->> '$') - 4096 << 4)
            + (unicode(('"\u1' || substr(text, 28, 3) || '"') ->> '$') & 15)
        END,
        CASE length(text) WHEN 32 THEN
            (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 25, 1)) << 35)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 26, 1)) << 30)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 27, 1)) << 25)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 28, 1)) << 20)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 29, 1)) << 15)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 30, 1)) << 10)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 31, 1)) << 5)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 32, 1)))
        WHEN 40 THEN
            (unicode(('"\u1' || substr(text, 31, 3) || '"') ->> '$') - 4096 << 28)
            + (unicode(('"\u1' || substr(text, 34, 3) || '"') ->> '$') - 4096 << 16)
            + (unicode(('"\u1' || substr(text, 37, 3) || '"') ->> '$') - 4096 << 4)
            + (unicode(('"\u1' || substr(text, 38, 3) || '"') ->> '$') & 15)
        END
    FROM texts
),
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN n1 IS NOT NULL THEN CAST(
        (substr(every, 1 + (n1 >> 32 & 255), 1) || substr(every, 1 + (n1 >> 24 & 255), 1))
        || (substr(every, 1 + (n1 >> 16 & 255), 1) || substr(every, 1 + (n1 >> 8 & 255), 1))
        || (substr(every, 1 + (n1 & 255), 1) || substr(every, 1 + (n2 >> 32 & 255), 1))
        || (substr(every, 1 + (n2 >> 24 & 255), 1) || substr(every, 1 + (n2 >> 16 & 255), 1))
        || (substr(every, 1 + (n2 >> 8 & 255), 1) || substr(every, 1 + (n2 & 255), 1))
        || (substr(every, 1 + (n3 >> 32 & 255), 1) || substr(every, 1 + (n3 >> 24 & 255), 1))
        || (substr(every, 1 + (n3 >> 16 & 255), 1) || substr(every, 1 + (n3 >> 8 & 255), 1))
        || (substr(every, 1 + (n3 & 255), 1) || substr(every, 1 + (n4 >> 32 & 255), 1))
        || (substr(every, 1 + (n4 >> 24 & 255), 1) || substr(every, 1 + (n4 >> 16 & 255), 1))
        || (substr(every, 1 + (n4 >> 8 & 255), 1) || substr(every, 1 + (n4 & 255), 1))
    AS BLOB) END
    FROM numbers, bytes
)
SELECT
    input,
    iif(input IS NULL, NULL, id IS NOT NULL) AS scru160_is_valid,
    id AS scru160_parse
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- All bytes, the byte n at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB))),
-- The text up to the first digit of the fraction of a second, and the fraction with what follows it: SQLite's functions
-- round the other digits to milliseconds, but the millisecond that contains the moment begins before it.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 3 digits of the fraction. The date has to be one: SQLite reads 30 February as 1 or 2 March.
times (moment, millis) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000', 1, 3) AS INTEGER) END
    FROM splits
),
-- Times that SQLite can read end before those of SCRU160s.
heads (moment, head) AS MATERIALIZED (
    SELECT moment, CASE WHEN millis BETWEEN 0 AND 253402300799999 THEN CAST(
        (substr(every, 1 + (millis >> 40 & 255), 1) || substr(every, 1 + (millis >> 32 & 255), 1))
        || (substr(every, 1 + (millis >> 24 & 255), 1) || substr(every, 1 + (millis >> 16 & 255), 1))
        || (substr(every, 1 + (millis >> 8 & 255), 1) || substr(every, 1 + (millis & 255), 1))
    AS BLOB) END
    FROM times, bytes
)
SELECT
    moment,
    CAST(head || x'0000000000000000000000000000' AS BLOB) AS scru160_min_at,
    CAST(head || x'FFFFFFFFFFFFFFFFFFFFFFFFFFFF' AS BLOB) AS scru160_max_at
FROM heads;

-- ==== euid ====

WITH ids (id) AS (VALUES (x'621CE48C99C0007816E925E73EBF0FDA'))
SELECT
    id,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        strftime('%Y-%m-%d %H:%M:%f', ((
            (unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') - 4096 << 36)
            + (unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') - 4096 << 24)
            + (unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') - 4096 << 12)
            + (unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') - 4096)
        ) >> 3) / 1000.0, 'unixepoch')
    END AS euid_time,
    -- 25 digits of 5 bits, each within three hex digits. Then 3 bits and 2 of the check; then 5 of the check.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 3, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 6, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 9, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 12, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 13, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 16, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 17, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 19, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 22, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 23, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 26, 3) || '"') ->> '$') >> 7 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') >> 6 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 28, 3) || '"') ->> '$') >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 29, 3) || '"') ->> '$') >> 4 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') >> 3 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            ((unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') & 7) << 2) + ((
                (unicode(('"\u10' || substr(hex(id), 1, 2) || '"') ->> '$') - 4096) * 2
                + (unicode(('"\u1' || substr(hex(id), 3, 3) || '"') ->> '$') - 4096) * 8
                + (unicode(('"\u1' || substr(hex(id), 6, 3) || '"') ->> '$') - 4096) * 32
                + (unicode(('"\u1' || substr(hex(id), 9, 3) || '"') ->> '$') - 4096)
                + (unicode(('"\u1' || substr(hex(id), 12, 3) || '"') ->> '$') - 4096) * 4
                + (unicode(('"\u1' || substr(hex(id), 15, 3) || '"') ->> '$') - 4096) * 16
                + (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') - 4096) * 64
                + (unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') - 4096) * 2
                + (unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') - 4096) * 8
                + (unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') - 4096) * 32
                + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') - 4096)
            ) % 127 >> 5)), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            (
                (unicode(('"\u10' || substr(hex(id), 1, 2) || '"') ->> '$') - 4096) * 2
                + (unicode(('"\u1' || substr(hex(id), 3, 3) || '"') ->> '$') - 4096) * 8
                + (unicode(('"\u1' || substr(hex(id), 6, 3) || '"') ->> '$') - 4096) * 32
                + (unicode(('"\u1' || substr(hex(id), 9, 3) || '"') ->> '$') - 4096)
                + (unicode(('"\u1' || substr(hex(id), 12, 3) || '"') ->> '$') - 4096) * 4
                + (unicode(('"\u1' || substr(hex(id), 15, 3) || '"') ->> '$') - 4096) * 16
                + (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') - 4096) * 64
                + (unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') - 4096) * 2
                + (unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') - 4096) * 8
                + (unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') - 4096) * 32
                + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') - 4096)
            ) % 127 & 31), 1)
    END AS euid_text,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        (
            (unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') - 4096 << 36)
            + (unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') - 4096 << 24)
            + (unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') - 4096 << 12)
            + (unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') - 4096)
        ) >> 3
    END AS euid_timestamp,
    -- The 15 bits after the timestamp: random bits above, and as many bits of the extension as the last digit says.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        (
            ((unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') & 7) << 12)
            + (unicode(('"\u1' || substr(hex(id), 13, 3) || '"') ->> '$') - 4096)
        ) >> (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 15)
    END AS euid_random_upper,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 15 > 0 THEN
        (
            ((unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') & 7) << 12)
            + (unicode(('"\u1' || substr(hex(id), 13, 3) || '"') ->> '$') - 4096)
        ) & ((1 << (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 15)) - 1)
    END AS euid_extension,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 15
    END AS euid_extension_bits,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        (unicode(('"\u1' || substr(hex(id), 17, 3) || '"') ->> '$') - 4096 << 20)
        + (unicode(('"\u1' || substr(hex(id), 20, 3) || '"') ->> '$') - 4096 << 8)
        + (unicode(('"\u1' || substr(hex(id), 22, 3) || '"') ->> '$') & 255)
    END AS euid_random_high,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        (unicode(('"\u1' || substr(hex(id), 25, 3) || '"') ->> '$') - 4096 << 20)
        + (unicode(('"\u1' || substr(hex(id), 28, 3) || '"') ->> '$') - 4096 << 8)
        + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') & 255)
    END AS euid_random_low,
    -- The remainder of the whole number divided by 127: 2^7 leaves 1, so 12 bits more leave 2^5 times as much, 24 leave
    -- 2^3 times as much, and so on.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        (
            (unicode(('"\u10' || substr(hex(id), 1, 2) || '"') ->> '$') - 4096) * 2
            + (unicode(('"\u1' || substr(hex(id), 3, 3) || '"') ->> '$') - 4096) * 8
            + (unicode(('"\u1' || substr(hex(id), 6, 3) || '"') ->> '$') - 4096) * 32
            + (unicode(('"\u1' || substr(hex(id), 9, 3) || '"') ->> '$') - 4096)
            + (unicode(('"\u1' || substr(hex(id), 12, 3) || '"') ->> '$') - 4096) * 4
            + (unicode(('"\u1' || substr(hex(id), 15, 3) || '"') ->> '$') - 4096) * 16
            + (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') - 4096) * 64
            + (unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') - 4096) * 2
            + (unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') - 4096) * 8
            + (unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') - 4096) * 32
            + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') - 4096)
        ) % 127
    END AS euid_check
FROM ids;

WITH inputs (input) AS (VALUES ('C8EE934SR007G5Q94QKKXFRFV8B'), ('C8EE934SR007G5Q94QKKXFRFV8C')),
-- All bytes, the byte n at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB))),
-- I and L are 1, and O is 0.
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) = 27 AND instr(input, char(0)) = 0
        AND input NOT GLOB '*[^0-9A-TV-Za-tv-z]*' THEN
        replace(replace(replace(upper(input), 'I', '1'), 'L', '1'), 'O', '0') END
    FROM inputs
),
-- 128 bits and the check as three numbers of 40 bits (8 digits) and one of 15 bits (3 digits).
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 1, 1)) << 35)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 2, 1)) << 30)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 3, 1)) << 25)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 4, 1)) << 20)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 5, 1)) << 15)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 6, 1)) << 10)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 7, 1)) << 5)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 8, 1))),
        (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 9, 1)) << 35)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 10, 1)) << 30)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 11, 1)) << 25)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 12, 1)) << 20)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 13, 1)) << 15)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 14, 1)) << 10)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 15, 1)) << 5)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 16, 1))),
        (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 17, 1)) << 35)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 18, 1)) << 30)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 19, 1)) << 25)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 20, 1)) << 20)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 21, 1)) << 15)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 22, 1)) << 10)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 23, 1)) << 5)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 24, 1))),
        (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 25, 1)) << 10)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 26, 1)) << 5)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 27, 1)))
    FROM texts
),
-- The check is the low 7 bits: 127, which is no check, or the remainder of the 128 bits divided by 127. 2^7 leaves 1,
-- so 2^88 leaves 2^4, 2^48 leaves 2^6, and 2^8 leaves 2.
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN n4 & 127 IN (127, (n1 * 16 + n2 * 64 + n3 * 2 + (n4 >> 7)) % 127) THEN CAST(
        (substr(every, 1 + (n1 >> 32 & 255), 1) || substr(every, 1 + (n1 >> 24 & 255), 1))
        || (substr(every, 1 + (n1 >> 16 & 255), 1) || substr(every, 1 + (n1 >> 8 & 255), 1))
        || (substr(every, 1 + (n1 & 255), 1) || substr(every, 1 + (n2 >> 32 & 255), 1))
        || (substr(every, 1 + (n2 >> 24 & 255), 1) || substr(every, 1 + (n2 >> 16 & 255), 1))
        || (substr(every, 1 + (n2 >> 8 & 255), 1) || substr(every, 1 + (n2 & 255), 1))
        || (substr(every, 1 + (n3 >> 32 & 255), 1) || substr(every, 1 + (n3 >> 24 & 255), 1))
        || (substr(every, 1 + (n3 >> 16 & 255), 1) || substr(every, 1 + (n3 >> 8 & 255), 1))
        || (substr(every, 1 + (n3 & 255), 1) || substr(every, 1 + (n4 >> 7 & 255), 1))
    AS BLOB) END
    FROM numbers, bytes
)
SELECT
    input,
    iif(input IS NULL, NULL, id IS NOT NULL) AS euid_is_valid,
    id AS euid_parse
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- All bytes, the byte n at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB))),
-- The text up to the first digit of the fraction of a second, and the fraction with what follows it: SQLite's functions
-- round the other digits to milliseconds, but the millisecond that contains the moment begins before it.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 3 digits of the fraction. The date has to be one: SQLite reads 30 February as 1 or 2 March.
times (moment, millis) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000', 1, 3) AS INTEGER) END
    FROM splits
),
-- The 45 bits of the timestamp are the upper ones of 48 bits.
heads (moment, head, fifth, sixth) AS MATERIALIZED (
    SELECT moment, CASE WHEN millis BETWEEN 0 AND 35184372088831 THEN CAST(
        (substr(every, 1 + (millis >> 37 & 255), 1) || substr(every, 1 + (millis >> 29 & 255), 1))
        || (substr(every, 1 + (millis >> 21 & 255), 1) || substr(every, 1 + (millis >> 13 & 255), 1))
    AS BLOB) END, substr(every, 1 + (millis >> 5 & 255), 1), millis << 3 & 255
    FROM times, bytes
)
SELECT
    moment,
    CAST(head || (fifth || substr(every, 1 + sixth, 1))
        || x'00000000000000000000' AS BLOB) AS euid_min_at,
    CAST(head || (fifth || substr(every, 1 + sixth + 7, 1))
        || x'FFFFFFFFFFFFFFFFFFFF' AS BLOB) AS euid_max_at
FROM heads, bytes;

-- ==== ulid_flake ====

WITH ids (id) AS (VALUES (14246757444195114))
SELECT
    id,
    -- 1704067200000 is 2024-01-01 in milliseconds since 1970.
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        strftime('%Y-%m-%d %H:%M:%f', ((id >> 20) + 1704067200000) / 1000.0, 'unixepoch')
    END AS ulid_flake_time,
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 60), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 55 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 50 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 45 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 40 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 35 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 30 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 25 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 20 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 15 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 10 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id & 31), 1)
    END AS ulid_flake_text,
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        id >> 20
    END AS ulid_flake_timestamp,
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        id & 1048575
    END AS ulid_flake_randomness,
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        id >> 5 & 32767
    END AS ulid_flake_scalable_randomness,
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        id & 31
    END AS ulid_flake_scalability
FROM ids;

WITH inputs (input) AS (VALUES ('00CMXB6TAK4SA'), ('80CMXB6TAK4SA')),
-- Above a first digit of 7, the number has more than 63 bits.
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) = 13 AND instr(input, char(0)) = 0
        AND input GLOB '[0-7]*' AND input NOT GLOB '*[^0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*' THEN upper(input) END
    FROM inputs
),
parsed (input, id) AS MATERIALIZED (
    SELECT
        input,
        (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 1, 1)) << 60)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 2, 1)) << 55)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 3, 1)) << 50)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 4, 1)) << 45)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 5, 1)) << 40)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 6, 1)) << 35)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 7, 1)) << 30)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 8, 1)) << 25)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 9, 1)) << 20)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 10, 1)) << 15)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 11, 1)) << 10)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 12, 1)) << 5)
        + (instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 13, 1)))
    FROM texts
)
SELECT
    input,
    iif(input IS NULL, NULL, id IS NOT NULL) AS ulid_flake_is_valid,
    id AS ulid_flake_parse
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- The text up to the first digit of the fraction of a second, and the fraction with what follows it: SQLite's functions
-- round the other digits to milliseconds, but the millisecond that contains the moment begins before it.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 3 digits of the fraction. The date has to be one: SQLite reads 30 February as 1 or 2 March.
times (moment, millis) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000', 1, 3) AS INTEGER) END
    FROM splits
)
-- 1704067200000 is 2024-01-01 in milliseconds since 1970.
SELECT
    moment,
    CASE WHEN millis BETWEEN 1704067200000 AND 10500160222207 THEN
        millis - 1704067200000 << 20
    END AS ulid_flake_min_at,
    CASE WHEN millis BETWEEN 1704067200000 AND 10500160222207 THEN
        (millis - 1704067200000 << 20) + 1048575
    END AS ulid_flake_max_at
FROM times;

-- ==== ron_uid ====

WITH ids (id) AS (VALUES (x'004C694CA9341000287F000000000000'), (x'0B729C00000000000000000000000000'))
SELECT
    id,
    -- Events and derived UIDs before the value ~ have a time if the digits are a date: strftime does not change it.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40'
        AND substr(id, 9, 1) >= x'20' AND substr(id, 1, 2) < x'0FC0' THEN
        CASE strftime('%Y-%m-%d %H:%M:%f', printf('%04d-%02d-%02d %02d:%02d:%02d.%03d',
            2010 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') - 4096) / 12,
            1 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') - 4096) % 12,
            1 + (unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') >> 6 & 63),
            unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') & 63,
            unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') >> 6 & 63,
            unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') & 63,
            unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') - 4096), '+0 days')
        WHEN printf('%04d-%02d-%02d %02d:%02d:%02d.%03d',
            2010 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') - 4096) / 12,
            1 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') - 4096) % 12,
            1 + (unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') >> 6 & 63),
            unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') & 63,
            unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') >> 6 & 63,
            unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') & 63,
            unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') - 4096)
        THEN printf('%04d-%02d-%02d %02d:%02d:%02d.%03d',
            2010 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') - 4096) / 12,
            1 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') - 4096) % 12,
            1 + (unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') >> 6 & 63),
            unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') & 63,
            unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') >> 6 & 63,
            unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') & 63,
            unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') - 4096)
        END
    END AS ron_uid_time,
    -- The value, a sign and the origin, without trailing zeros. A value of 0 is 0 if the origin is 0, or else left out.
    -- The sign is left out if the origin is 0 and the value alone says as much: 0, ~ and ~~~~~~~~~~ are events, all
    -- others are names.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        CASE WHEN substr(id, 1, 8) = x'0000000000000000' AND substr(id, 10) = x'00000000000000'
            AND substr(id, 9, 1) IN (x'00', x'10', x'20', x'30') THEN '0' ELSE '' END
        || rtrim(
            substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 63), 1), '0')
        || CASE WHEN CASE substr(id, 9)
            WHEN x'2000000000000000' THEN substr(id, 1, 8) IN (
                x'0000000000000000', x'0FC0000000000000', x'0FFFFFFFFFFFFFFF')
            WHEN x'0000000000000000' THEN substr(id, 1, 8) NOT IN (
                x'0000000000000000', x'0FC0000000000000', x'0FFFFFFFFFFFFFFF')
            ELSE FALSE END THEN ''
        ELSE substr('$%-+', 1 + (unicode(('"\u1' || substr(hex(id), 15, 3) || '"') ->> '$') & 3), 1) || rtrim(
            substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') & 63), 1), '0') END
    END AS ron_uid_text,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        coalesce(nullif(rtrim(
            substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 63), 1),
            '0'), ''), '0')
    END AS ron_uid_value,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        coalesce(nullif(rtrim(
            substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') >> 6 & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                1 + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') & 63), 1),
            '0'), ''), '0')
    END AS ron_uid_origin,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        (unicode(('"\u1' || substr(hex(id), 2, 3) || '"') ->> '$') - 4096 << 48)
        + (unicode(('"\u1' || substr(hex(id), 5, 3) || '"') ->> '$') - 4096 << 36)
        + (unicode(('"\u1' || substr(hex(id), 8, 3) || '"') ->> '$') - 4096 << 24)
        + (unicode(('"\u1' || substr(hex(id), 11, 3) || '"') ->> '$') - 4096 << 12)
        + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') - 4096)
    END AS ron_uid_value_int,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        (unicode(('"\u1' || substr(hex(id), 18, 3) || '"') ->> '$') - 4096 << 48)
        + (unicode(('"\u1' || substr(hex(id), 21, 3) || '"') ->> '$') - 4096 << 36)
        + (unicode(('"\u1' || substr(hex(id), 24, 3) || '"') ->> '$') - 4096 << 24)
        + (unicode(('"\u1' || substr(hex(id), 27, 3) || '"') ->> '$') - 4096 << 12)
        + (unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') - 4096)
    END AS ron_uid_origin_int,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        CASE unicode(('"\u1' || substr(hex(id), 15, 3) || '"') ->> '$') & 3
            WHEN 0 THEN 'name' WHEN 1 THEN 'hash' WHEN 2 THEN 'event' ELSE 'derived' END
    END AS ron_uid_scheme
FROM ids;

WITH inputs (input) AS (VALUES ('1CQKneD1-X~'), ('inc'), ('two-signs-')),
-- All bytes, the byte n at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB))),
-- The value: a bracket, as its place in '([{}])' or 0; digits; and the rest of the text.
heads (input, text, bracket) AS MATERIALIZED (
    SELECT input, text, instr('([{}])', substr(text, 1, 1))
    FROM (SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) BETWEEN 1 AND 21
        AND instr(input, char(0)) = 0 THEN input END AS text FROM inputs)
),
rests (input, bracket, tail, rest) AS MATERIALIZED (
    SELECT input, bracket, substr(text, 1 + (bracket > 0)), ltrim(substr(text, 1 + (bracket > 0)),
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~')
    FROM heads
),
-- The sign, as its place in '$%-+' or 0. The blank is for the end of the text, because instr finds an empty text.
signs (input, bracket, digits, sign, text) AS MATERIALIZED (
    SELECT input, bracket, substr(tail, 1, length(tail) - length(rest)), sign, substr(rest, 1 + (sign > 0))
    FROM (SELECT *, instr('$%-+', substr(rest || ' ', 1, 1)) AS sign FROM rests)
),
-- The origin, in the same steps as the value.
origin_heads (input, bracket, digits, sign, text, origin_bracket) AS MATERIALIZED (
    SELECT input, bracket, digits, sign, text, instr('([{}])', substr(text || ' ', 1, 1)) FROM signs
),
origin_rests (input, bracket, digits, sign, origin_bracket, tail, rest) AS MATERIALIZED (
    SELECT input, bracket, digits, sign, origin_bracket, substr(text, 1 + (origin_bracket > 0)),
        ltrim(substr(text, 1 + (origin_bracket > 0)),
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~')
    FROM origin_heads
),
-- A bracket stands for 4 to 9 zeros before the digits. Nothing may follow the origin.
parts (input, digits, origin_digits, scheme) AS MATERIALIZED (
    SELECT
        input,
        substr('000000000', 1, (bracket > 0) * (3 + bracket)) || digits,
        CASE rest WHEN '' THEN substr('000000000', 1, (origin_bracket > 0) * (3 + origin_bracket)) || tail END,
        -- Digits alone are a name (0), or one of three events (2). An event needs no sign beside a bracket.
        CASE WHEN sign > 0 THEN sign - 1
            WHEN bracket = 0 AND origin_bracket = 0 AND rtrim(digits, '0') NOT IN ('', '~', '~~~~~~~~~~') THEN 0
            ELSE 2 END
    FROM origin_rests
),
-- Zeros follow up to ten digits of 6 bits. Above the 60 bits of the origin are 2 bits of the scheme.
numbers (input, n1, n2) AS MATERIALIZED (
    SELECT
        input,
        CASE WHEN length(digits) <= 10 AND length(origin_digits) <= 10 THEN
            (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 1, 1)) << 54)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 2, 1)) << 48)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 3, 1)) << 42)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 4, 1)) << 36)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 5, 1)) << 30)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 6, 1)) << 24)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 7, 1)) << 18)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 8, 1)) << 12)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 9, 1)) << 6)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 10, 1)))
        END,
        (scheme << 60)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 1, 1)) << 54)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 2, 1)) << 48)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 3, 1)) << 42)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 4, 1)) << 36)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 5, 1)) << 30)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 6, 1)) << 24)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 7, 1)) << 18)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 8, 1)) << 12)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 9, 1)) << 6)
            + (instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 10, 1)))
    FROM parts
),
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN n1 IS NOT NULL THEN CAST(
        (substr(every, 1 + (n1 >> 56 & 255), 1) || substr(every, 1 + (n1 >> 48 & 255), 1))
        || (substr(every, 1 + (n1 >> 40 & 255), 1) || substr(every, 1 + (n1 >> 32 & 255), 1))
        || (substr(every, 1 + (n1 >> 24 & 255), 1) || substr(every, 1 + (n1 >> 16 & 255), 1))
        || (substr(every, 1 + (n1 >> 8 & 255), 1) || substr(every, 1 + (n1 & 255), 1))
        || (substr(every, 1 + (n2 >> 56 & 255), 1) || substr(every, 1 + (n2 >> 48 & 255), 1))
        || (substr(every, 1 + (n2 >> 40 & 255), 1) || substr(every, 1 + (n2 >> 32 & 255), 1))
        || (substr(every, 1 + (n2 >> 24 & 255), 1) || substr(every, 1 + (n2 >> 16 & 255), 1))
        || (substr(every, 1 + (n2 >> 8 & 255), 1) || substr(every, 1 + (n2 & 255), 1))
    AS BLOB) END
    FROM numbers, bytes
)
SELECT
    input,
    iif(input IS NULL, NULL, id IS NOT NULL) AS ron_uid_is_valid,
    id AS ron_uid_parse
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- All bytes, the byte n at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB))),
-- The text up to the first digit of the fraction of a second, and the fraction with what follows it: SQLite's functions
-- round the other digits to milliseconds, but the millisecond that contains the moment begins before it.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 3 digits of the fraction. The date has to be one: SQLite reads 30 February as 1 or 2 March.
times (moment, millis) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000', 1, 3) AS INTEGER) END
    FROM splits
),
-- The digits of 2010-01-01 to 2345-12-31: months since 2010, day, hour, minute, second, milliseconds, sequence.
digits (moment, n) AS MATERIALIZED (
    SELECT moment, CASE WHEN millis BETWEEN 1262304000000 AND 11865398399999 THEN
        ((strftime('%Y', millis / 1000, 'unixepoch') - 2010) * 12
            + strftime('%m', millis / 1000, 'unixepoch') - 1 << 48)
        + (strftime('%d', millis / 1000, 'unixepoch') - 1 << 42)
        + (strftime('%H', millis / 1000, 'unixepoch') << 36)
        + (strftime('%M', millis / 1000, 'unixepoch') << 30)
        + (strftime('%S', millis / 1000, 'unixepoch') << 24)
        + (millis % 1000 << 12) END
    FROM times
)
-- The least is an event, the greatest a derived UID with the sequence number 4095 (12 bits).
SELECT
    moment,
    CASE WHEN n IS NOT NULL THEN CAST(
        (substr(every, 1 + (n >> 56 & 255), 1) || substr(every, 1 + (n >> 48 & 255), 1))
        || (substr(every, 1 + (n >> 40 & 255), 1) || substr(every, 1 + (n >> 32 & 255), 1))
        || (substr(every, 1 + (n >> 24 & 255), 1) || substr(every, 1 + (n >> 16 & 255), 1))
        || (substr(every, 1 + (n >> 8 & 255), 1) || substr(every, 1 + (n & 255), 1))
        || x'2000000000000000'
    AS BLOB) END AS ron_uid_min_at,
    CASE WHEN n IS NOT NULL THEN CAST(
        (substr(every, 1 + (n >> 56 & 255), 1) || substr(every, 1 + (n >> 48 & 255), 1))
        || (substr(every, 1 + (n >> 40 & 255), 1) || substr(every, 1 + (n >> 32 & 255), 1))
        || (substr(every, 1 + (n >> 24 & 255), 1) || substr(every, 1 + (n >> 16 & 255), 1))
        || (substr(every, 1 + ((n + 4095) >> 8 & 255), 1) || substr(every, 1 + ((n + 4095) & 255), 1))
        || x'3FFFFFFFFFFFFFFF'
    AS BLOB) END AS ron_uid_max_at
FROM digits, bytes;

-- ==== event_id ====

WITH ids (id) AS (VALUES (x'0005CD755A43D79238C05790C0331DD8'))
SELECT
    id,
    -- The first byte is below x'80' if the timestamp is below 2^63.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 AND substr(id, 1, 1) < x'80' THEN datetime((
        (unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') - 4096 << 52)
        + (unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') - 4096 << 40)
        + (unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') - 4096 << 28)
        + (unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') - 4096 << 16)
        + (unicode(('"\u1' || substr(hex(id), 13, 3) || '"') ->> '$') - 4096 << 4)
        + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 15)
    ) / 1000000, 'unixepoch') || printf('.%06d', (
        (unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') - 4096 << 52)
        + (unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') - 4096 << 40)
        + (unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') - 4096 << 28)
        + (unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') - 4096 << 16)
        + (unicode(('"\u1' || substr(hex(id), 13, 3) || '"') ->> '$') - 4096 << 4)
        + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 15)
    ) % 1000000) END AS event_id_time,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        lower(hex(id))
    END AS event_id_text,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 AND substr(id, 1, 1) < x'80' THEN
        (unicode(('"\u1' || substr(hex(id), 1, 3) || '"') ->> '$') - 4096 << 52)
        + (unicode(('"\u1' || substr(hex(id), 4, 3) || '"') ->> '$') - 4096 << 40)
        + (unicode(('"\u1' || substr(hex(id), 7, 3) || '"') ->> '$') - 4096 << 28)
        + (unicode(('"\u1' || substr(hex(id), 10, 3) || '"') ->> '$') - 4096 << 16)
        + (unicode(('"\u1' || substr(hex(id), 13, 3) || '"') ->> '$') - 4096 << 4)
        + (unicode(('"\u1' || substr(hex(id), 14, 3) || '"') ->> '$') & 15)
    END AS event_id_timestamp,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        lower(hex(substr(id, 9, 4)))
    END AS event_id_checksum,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        lower(hex(substr(id, 13)))
    END AS event_id_ledger_id,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        unicode(('"\u1' || substr(hex(id), 30, 3) || '"') ->> '$') & 3
    END AS event_id_version
FROM ids;

WITH inputs (input) AS (VALUES ('0005cd755a43d79238c05790c0331dd8'), ('0005cd75-5a43-d792-38c0-5790c0331dd8')),
-- All bytes, the byte n at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB))),
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) = 32 AND instr(input, char(0)) = 0
        AND input NOT GLOB '*[^0-9A-Fa-f]*' THEN input END
    FROM inputs
),
-- 128 bits as four numbers of 32 bits, 8 digits each.
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        (unicode(('"\u1' || substr(text, 1, 3) || '"') ->> '$') - 4096 << 20)
        + (unicode(('"\u1' || substr(text, 4, 3) || '"') ->> '$') - 4096 << 8)
        + (unicode(('"\u1' || substr(text, 6, 3) || '"') ->> '$') & 255),
        (unicode(('"\u1' || substr(text, 9, 3) || '"') ->> '$') - 4096 << 20)
        + (unicode(('"\u1' || substr(text, 12, 3) || '"') ->> '$') - 4096 << 8)
        + (unicode(('"\u1' || substr(text, 14, 3) || '"') ->> '$') & 255),
        (unicode(('"\u1' || substr(text, 17, 3) || '"') ->> '$') - 4096 << 20)
        + (unicode(('"\u1' || substr(text, 20, 3) || '"') ->> '$') - 4096 << 8)
        + (unicode(('"\u1' || substr(text, 22, 3) || '"') ->> '$') & 255),
        (unicode(('"\u1' || substr(text, 25, 3) || '"') ->> '$') - 4096 << 20)
        + (unicode(('"\u1' || substr(text, 28, 3) || '"') ->> '$') - 4096 << 8)
        + (unicode(('"\u1' || substr(text, 30, 3) || '"') ->> '$') & 255)
    FROM texts
),
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN n1 IS NOT NULL THEN CAST(
        (substr(every, 1 + (n1 >> 24 & 255), 1) || substr(every, 1 + (n1 >> 16 & 255), 1))
        || (substr(every, 1 + (n1 >> 8 & 255), 1) || substr(every, 1 + (n1 & 255), 1))
        || (substr(every, 1 + (n2 >> 24 & 255), 1) || substr(every, 1 + (n2 >> 16 & 255), 1))
        || (substr(every, 1 + (n2 >> 8 & 255), 1) || substr(every, 1 + (n2 & 255), 1))
        || (substr(every, 1 + (n3 >> 24 & 255), 1) || substr(every, 1 + (n3 >> 16 & 255), 1))
        || (substr(every, 1 + (n3 >> 8 & 255), 1) || substr(every, 1 + (n3 & 255), 1))
        || (substr(every, 1 + (n4 >> 24 & 255), 1) || substr(every, 1 + (n4 >> 16 & 255), 1))
        || (substr(every, 1 + (n4 >> 8 & 255), 1) || substr(every, 1 + (n4 & 255), 1))
    AS BLOB) END
    FROM numbers, bytes
)
SELECT
    input,
    iif(input IS NULL, NULL, id IS NOT NULL) AS event_id_is_valid,
    id AS event_id_parse
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- All bytes, the byte n at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB))),
-- The text up to the first digit of the fraction of a second, and the fraction with what follows it: SQLite's functions
-- round the other digits to milliseconds, but the millisecond that contains the moment begins before it.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 6 digits of the fraction. The date has to be one: SQLite reads 30 February as 1 or 2 March.
times (moment, micros) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000000', 1, 6) AS INTEGER) END
    FROM splits
),
-- Times that SQLite can read end before those of Event IDs.
heads (moment, head) AS MATERIALIZED (
    SELECT moment, CASE WHEN micros BETWEEN 0 AND 253402300799999999 THEN CAST(
        (substr(every, 1 + (micros >> 56 & 255), 1) || substr(every, 1 + (micros >> 48 & 255), 1))
        || (substr(every, 1 + (micros >> 40 & 255), 1) || substr(every, 1 + (micros >> 32 & 255), 1))
        || (substr(every, 1 + (micros >> 24 & 255), 1) || substr(every, 1 + (micros >> 16 & 255), 1))
        || (substr(every, 1 + (micros >> 8 & 255), 1) || substr(every, 1 + (micros & 255), 1))
    AS BLOB) END
    FROM times, bytes
)
SELECT
    moment,
    CAST(head || x'0000000000000000' AS BLOB) AS event_id_min_at,
    CAST(head || x'FFFFFFFFFFFFFFFF' AS BLOB) AS event_id_max_at
FROM heads;
