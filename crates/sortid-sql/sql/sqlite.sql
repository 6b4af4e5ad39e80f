-- IDs in SQLite: their times, texts and fields; IDs from their texts; and the bounds of a time. SQLite 3.40 or newer.
--
-- SQLite cannot define functions in SQL, so this file has queries with expressions to copy. The file changes nothing:
-- the program `sqlite3` prints the samples. Each specification has three queries:
--
-- 1. From an ID: its time, text and fields. Every column is an expression of `id` alone, deterministic and without a
--    subquery. With the name of your column for `id`, it also works in a view, an index or a generated column. In a
--    view, a column that the query does not use costs nothing.
-- 2. From a text: whether it is an ID, the ID, and its time. Replace the samples by your texts, or by a SELECT of them.
-- 3. From a moment: the least and the greatest ID of its millisecond (Event ID: microsecond). A moment is TEXT that
--    SQLite's date functions read and that begins with a date: '2024-06-06 06:06:06.666', in UTC, or with Z or an
--    offset.
--
-- The queries 2 and 3 need subqueries, because they compute the parts of an ID once and use them several times.
--
-- Columns of IDs: BLOB, of 20 bytes for SCRU160 and of 16 for EUID, RON UID and Event ID; INTEGER for Ulid-Flake.
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
--     SELECT * FROM orders
--     WHERE id BETWEEN x'0C7F613C7A5000000000000000000000' AND x'0C7F613C7A57FFFFFFFFFFFFFFFFFFFF';
--
-- Names and hashes of RON UIDs have no time, but can be between the bounds: add AND ron_uid_time IS NOT NULL.
--
-- Nothing here makes an ID: SQLite has no state for the order of new IDs. Make them with the library or the program.
--
-- Four facts explain the expressions:
--
-- - The number of a digit is its place among the digits from 1 on: instr('123456789ABCDEF', 'B') is 11. The digit 0 is
--   not found, which is 0, too.
-- - The operators <<, >>, & and | have one precedence, below + and -, and apply from the left: a << 4 | b << 4 | c is
--   the number of the hex digits a, b and c.
-- - SQLite 3.40 has no function that writes a byte, so substr takes it from a BLOB of all bytes.
-- - Seconds as a REAL are precise enough until the year 9999: SQLite's functions print milliseconds divided by 1000.0
--   as the same milliseconds.

-- ==== scru160 ====

WITH ids (id) AS (VALUES (x'017BDF6431BB33750751EB63BEB3C3F8C5969D86'))
SELECT
    id,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN strftime('%Y-%m-%d %H:%M:%f', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1))
    ) / 1000.0, 'unixepoch') END AS scru160_time,
    -- 32 digits of 5 bits. Two hex digits, 8 bits, have each of them.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 2, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 3, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 4, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 5, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 7, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 8, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 9, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 10, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 12, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 13, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 14, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 15, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 16, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 17, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 17, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 18, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 18, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 19, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 20, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 22, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 23, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 23, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 24, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 24, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 25, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 26, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 27, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 28, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 29, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 29, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 30, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 32, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 32, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 33, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 33, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 34, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 34, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 35, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 36, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 37, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 37, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 38, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 38, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 39, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHIJKLMNOPQRSTUV', 1 + (instr('123456789ABCDEF', substr(hex(id), 39, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 40, 1)) & 31), 1)
    END AS scru160_text,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1))
    END AS scru160_timestamp_ms,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    END AS scru160_counter,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        instr('123456789ABCDEF', substr(hex(id), 17, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 18, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 20, 1))
    END AS scru160_random16,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN
        substr(id, 11)
    END AS scru160_random80
FROM ids;

WITH inputs (input) AS (VALUES ('05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6'), ('nonsense')),
-- All bytes: the byte n is at the place n + 1.
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
        length(input) = 32 AND input NOT GLOB '*[^0-9A-Va-v]*'
        OR length(input) = 40 AND input NOT GLOB '*[^0-9A-Fa-f]*')
        THEN upper(input) END
    FROM inputs
),
-- 160 bits as four numbers of 40 bits: 8 digits of base32hex each, or 10 of hex.
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        CASE length(text) WHEN 32 THEN
            instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 1, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 2, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 3, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 4, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 5, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 6, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 7, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 8, 1))
        WHEN 40 THEN
            instr('123456789ABCDEF', substr(text, 1, 1)) << 4 | instr('123456789ABCDEF', substr(text, 2, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 3, 1)) << 4 | instr('123456789ABCDEF', substr(text, 4, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 5, 1)) << 4 | instr('123456789ABCDEF', substr(text, 6, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 7, 1)) << 4 | instr('123456789ABCDEF', substr(text, 8, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 9, 1)) << 4 | instr('123456789ABCDEF', substr(text, 10, 1))
        END,
        CASE length(text) WHEN 32 THEN
            instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 9, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 10, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 11, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 12, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 13, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 14, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 15, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 16, 1))
        WHEN 40 THEN
            instr('123456789ABCDEF', substr(text, 11, 1)) << 4 | instr('123456789ABCDEF', substr(text, 12, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 13, 1)) << 4 | instr('123456789ABCDEF', substr(text, 14, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 15, 1)) << 4 | instr('123456789ABCDEF', substr(text, 16, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 17, 1)) << 4 | instr('123456789ABCDEF', substr(text, 18, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 19, 1)) << 4 | instr('123456789ABCDEF', substr(text, 20, 1))
        END,
        CASE length(text) WHEN 32 THEN
            instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 17, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 18, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 19, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 20, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 21, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 22, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 23, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 24, 1))
        WHEN 40 THEN
            instr('123456789ABCDEF', substr(text, 21, 1)) << 4 | instr('123456789ABCDEF', substr(text, 22, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 23, 1)) << 4 | instr('123456789ABCDEF', substr(text, 24, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 25, 1)) << 4 | instr('123456789ABCDEF', substr(text, 26, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 27, 1)) << 4 | instr('123456789ABCDEF', substr(text, 28, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 29, 1)) << 4 | instr('123456789ABCDEF', substr(text, 30, 1))
        END,
        CASE length(text) WHEN 32 THEN
            instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 25, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 26, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 27, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 28, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 29, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 30, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 31, 1)) << 5
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUV', substr(text, 32, 1))
        WHEN 40 THEN
            instr('123456789ABCDEF', substr(text, 31, 1)) << 4 | instr('123456789ABCDEF', substr(text, 32, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 33, 1)) << 4 | instr('123456789ABCDEF', substr(text, 34, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 35, 1)) << 4 | instr('123456789ABCDEF', substr(text, 36, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 37, 1)) << 4 | instr('123456789ABCDEF', substr(text, 38, 1)) << 4
            | instr('123456789ABCDEF', substr(text, 39, 1)) << 4 | instr('123456789ABCDEF', substr(text, 40, 1))
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
    id AS scru160_parse,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 20 THEN strftime('%Y-%m-%d %H:%M:%f', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1))
    ) / 1000.0, 'unixepoch') END AS scru160_text_time
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- All bytes: the byte n is at the place n + 1.
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
-- The text up to the first digit of the fraction of a second; the fraction and what follows it. SQLite's functions
-- round a fraction to milliseconds, so it is read apart.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 3 digits of the fraction. SQLite reads 30 February as a day of March, so the date is checked.
times (moment, millis) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000', 1, 3) AS INTEGER) END
    FROM splits
),
-- Up to the year 9999, where SQLite's times end.
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
    -- 45 of the 48 bits of 12 hex digits.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN strftime('%Y-%m-%d %H:%M:%f', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) >> 3
    ) / 1000.0, 'unixepoch') END AS euid_time,
    -- 25 digits of 5 bits: two hex digits have each of them. Then 3 bits and 2 of the check; then 5
    -- of the check, which is computed as in euid_check.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 2, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 3, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 4, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 5, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 7, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 8, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 9, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 10, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 12, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 13, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 14, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 15, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 16, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 17, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 17, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 18, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 18, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 19, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 20, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 22, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 23, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 23, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 24, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 24, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 25, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 26, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 27, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 28, 1)) >> 2 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 29, 1)) >> 1 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 29, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 30, 1)) & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 32, 1)) >> 3), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (
            instr('123456789ABCDEF', substr(hex(id), 32, 1)) << 2 & 31) + (((
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1))
        ) + (
        instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 17, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 18, 1))
        ) + (
        instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 20, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 23, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 24, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 25, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 26, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 29, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 30, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 32, 1))
        )) % 127 >> 5), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (((
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1))
        ) + (
        instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 17, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 18, 1))
        ) + (
        instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 20, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 23, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 24, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 25, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 26, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 29, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 30, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 32, 1))
        )) % 127 & 31), 1)
    END AS euid_text,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) >> 3
    END AS euid_timestamp_ms,
    -- The 15 bits after the timestamp: random bits, then the extension. The next digit is the length of the extension.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 15, 1))
        & 32767 >> instr('123456789ABCDEF', substr(hex(id), 16, 1))
    END AS euid_random_upper,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 AND substr(hex(id), 16, 1) > '0' THEN
        instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 15, 1))
        & 32767 & ((1 << instr('123456789ABCDEF', substr(hex(id), 16, 1))) - 1)
    END AS euid_extension,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        instr('123456789ABCDEF', substr(hex(id), 16, 1))
    END AS euid_extension_bits,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        instr('123456789ABCDEF', substr(hex(id), 17, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 18, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 20, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 23, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 24, 1))
    END AS euid_random_high,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        instr('123456789ABCDEF', substr(hex(id), 25, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 26, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 29, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 30, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 32, 1))
    END AS euid_random_low,
    -- The remainder of the 128 bits divided by 127. 2^56 leaves 1, so the sum of 16, 56 and 56 bits leaves as much.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN ((
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1))
        ) + (
        instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 17, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 18, 1))
        ) + (
        instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 20, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 23, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 24, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 25, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 26, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 29, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 30, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 32, 1))
        )) % 127 END AS euid_check,
    -- For a column with EUIDs and UUIDs of version 7, which begin with 48 bits of milliseconds. Those of before
    -- 2209-12-30 are less than the EUIDs of 2000 and later, which begin with the literal or are greater.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN id < x'06E3567D6000'
        AND substr(hex(id), 13, 1) = '7' AND substr(hex(id), 17, 1) BETWEEN '8' AND 'B'
    END AS euid_is_uuid7,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN strftime('%Y-%m-%d %H:%M:%f', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1))
        >> CASE WHEN id < x'06E3567D6000'
            AND substr(hex(id), 13, 1) = '7' AND substr(hex(id), 17, 1) BETWEEN '8' AND 'B' THEN 0 ELSE 3 END
    ) / 1000.0, 'unixepoch') END AS euid_or_uuid7_time
FROM ids;

WITH inputs (input) AS (VALUES ('C8EE934SR007G5Q94QKKXFRFV8B'), ('C8EE934SR007G5Q94QKKXFRFV8C')),
-- All bytes: the byte n is at the place n + 1.
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
        AND input NOT GLOB '*[^0-9A-TV-Za-tv-z]*'
        THEN replace(replace(replace(upper(input), 'I', '1'), 'L', '1'), 'O', '0') END
    FROM inputs
),
-- 128 bits and the check as three numbers of 40 bits (8 digits) and one of 15 bits (3 digits).
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 1, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 2, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 3, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 4, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 5, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 6, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 7, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 8, 1)),
        instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 9, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 10, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 11, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 12, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 13, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 14, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 15, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 16, 1)),
        instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 17, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 18, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 19, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 20, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 21, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 22, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 23, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 24, 1)),
        instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 25, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 26, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 27, 1))
    FROM texts
),
-- The check is the low 7 bits: 127, which is no check, or the remainder of the 128 bits divided by 127. 2^7 leaves 1,
-- so 2^88 leaves 2^4, 2^48 leaves 2^6, and 2^8 leaves 2.
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN (n4 & 127) IN (127, (n1 * 16 + n2 * 64 + n3 * 2 + (n4 >> 7)) % 127) THEN CAST(
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
    id AS euid_parse,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN strftime('%Y-%m-%d %H:%M:%f', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) >> 3
    ) / 1000.0, 'unixepoch') END AS euid_text_time
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- All bytes: the byte n is at the place n + 1.
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
-- The text up to the first digit of the fraction of a second; the fraction and what follows it. SQLite's functions
-- round a fraction to milliseconds, so it is read apart.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 3 digits of the fraction. SQLite reads 30 February as a day of March, so the date is checked.
times (moment, millis) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000', 1, 3) AS INTEGER) END
    FROM splits
),
-- The 45 bits of the timestamp are the upper ones of six bytes.
heads (moment, millis, head, fifth, sixth) AS MATERIALIZED (
    SELECT moment, millis, CASE WHEN millis BETWEEN 0 AND 35184372088831 THEN CAST(
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
        || x'FFFFFFFFFFFFFFFFFFFF' AS BLOB) AS euid_max_at,
    CASE WHEN millis BETWEEN 0 AND 253402300799999 THEN CAST(
        (substr(every, 1 + (millis >> 40 & 255), 1) || substr(every, 1 + (millis >> 32 & 255), 1))
        || (substr(every, 1 + (millis >> 24 & 255), 1) || substr(every, 1 + (millis >> 16 & 255), 1))
        || (substr(every, 1 + (millis >> 8 & 255), 1) || substr(every, 1 + (millis & 255), 1))
        || x'00000000000000000000' AS BLOB) END AS euid_uuid7_min_at
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
    END AS ulid_flake_timestamp_ms,
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        id & 1048575
    END AS ulid_flake_randomness,
    -- The scalable version: the low 5 of the 20 bits are a node ID.
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        id >> 5 & 32767
    END AS ulid_flake_scalable_randomness,
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        id & 31
    END AS ulid_flake_scalability
FROM ids;

WITH inputs (input) AS (VALUES ('00CMXB6TAK4SA'), ('80CMXB6TAK4SA')),
-- If the first digit is above 7, the number has more than 63 bits.
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) = 13 AND instr(input, char(0)) = 0
        AND input GLOB '[0-7]*' AND input NOT GLOB '*[^0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*'
        THEN upper(input) END
    FROM inputs
),
parsed (input, id) AS MATERIALIZED (
    SELECT
        input,
        instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 1, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 2, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 3, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 4, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 5, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 6, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 7, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 8, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 9, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 10, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 11, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 12, 1)) << 5
        | instr('123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(text, 13, 1))
    FROM texts
)
SELECT
    input,
    iif(input IS NULL, NULL, id IS NOT NULL) AS ulid_flake_is_valid,
    id AS ulid_flake_parse,
    CASE WHEN typeof(id) = 'integer' AND id >= 0 THEN
        strftime('%Y-%m-%d %H:%M:%f', ((id >> 20) + 1704067200000) / 1000.0, 'unixepoch')
    END AS ulid_flake_text_time
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- The text up to the first digit of the fraction of a second; the fraction and what follows it. SQLite's functions
-- round a fraction to milliseconds, so it is read apart.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 3 digits of the fraction. SQLite reads 30 February as a day of March, so the date is checked.
times (moment, millis) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000', 1, 3) AS INTEGER) END
    FROM splits
)
-- 1704067200000 is 2024-01-01 in milliseconds since 1970. The timestamp has 43 bits.
SELECT
    moment,
    CASE WHEN millis BETWEEN 1704067200000 AND 10500160222207 THEN
        millis - 1704067200000 << 20
    END AS ulid_flake_min_at,
    CASE WHEN millis BETWEEN 1704067200000 AND 10500160222207 THEN
        millis - 1704067200000 << 20 | 1048575
    END AS ulid_flake_max_at
FROM times;

-- ==== ron_uid ====

WITH ids (id) AS (VALUES (x'004C694CA9341000287F000000000000'), (x'0B729C00000000000000000000000000'))
SELECT
    id,
    -- Events and derived UIDs before the value ~ have a time if their digits are a date: months since 2010 (12 bits),
    -- the day from 0, hour, minute and second (6 bits each), and milliseconds (12 bits, below x'3E8'). A day that the
    -- month lacks is not before the first day of the next month.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40'
        AND substr(id, 9, 1) >= x'20' AND substr(id, 1, 2) < x'0FC0'
        AND (instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 7, 1)) & 63) < 24
        AND (instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 9, 1)) >> 2) < 60
        AND (instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 10, 1)) & 63) < 60
        AND substr(hex(id), 11, 3) < '3E8'
        AND date('2010-01-01',
            (instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 4, 1))) || ' months',
            (instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 6, 1)) >> 2) || ' days')
            < date('2010-01-01',
            (instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 4, 1))) || ' months', '+1 month')
    THEN
        date('2010-01-01',
            (instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 4, 1))) || ' months',
            (instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 6, 1)) >> 2) || ' days')
        || printf(' %02d:%02d:%02d.%03d',
            instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 7, 1)) & 63,
            instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 9, 1)) >> 2,
            instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 10, 1)) & 63,
            instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 13, 1)))
    END AS ron_uid_time,
    -- The value, a sign and the origin, without trailing zeros. A value of 0 is 0 if the origin is 0, or else left out.
    -- The sign is left out if the origin is 0 and the value alone says as much: 0, ~ and ~~~~~~~~~~ are events, all
    -- others are names.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        CASE WHEN substr(hex(id), 1, 16) = '0000000000000000' AND substr(hex(id), 18) = '000000000000000'
            THEN '0' ELSE '' END
        || rtrim(
            substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 3, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 4, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 6, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 7, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 9, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 10, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 12, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 13, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 15, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 16, 1)) & 63), 1),
            '0')
        || CASE WHEN CASE substr(id, 9)
            WHEN x'2000000000000000' THEN substr(id, 1, 8) IN (
                x'0000000000000000', x'0FC0000000000000', x'0FFFFFFFFFFFFFFF')
            WHEN x'0000000000000000' THEN substr(id, 1, 8) NOT IN (
                x'0000000000000000', x'0FC0000000000000', x'0FFFFFFFFFFFFFFF')
            ELSE FALSE END THEN ''
        ELSE substr('$%-+', 1 + instr('123456789ABCDEF', substr(hex(id), 17, 1)), 1) || rtrim(
            substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 18, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 19, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 20, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 22, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 23, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 24, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 25, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 25, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 26, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 28, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 29, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 30, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 31, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 32, 1)) & 63), 1),
            '0') END
    END AS ron_uid_text,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        coalesce(nullif(rtrim(
            substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 3, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 4, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 6, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 7, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 9, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 10, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 12, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 13, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 15, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 16, 1)) & 63), 1),
            '0'), ''), '0')
    END AS ron_uid_value,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        coalesce(nullif(rtrim(
            substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 18, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 19, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 20, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 22, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 23, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 24, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 25, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 25, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 26, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 28, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 29, 1)) & 63), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 30, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 31, 1)) >> 2), 1)
            || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~', 1 + (
                instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4
                | instr('123456789ABCDEF', substr(hex(id), 32, 1)) & 63), 1),
            '0'), ''), '0')
    END AS ron_uid_origin,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    END AS ron_uid_value_int,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        instr('123456789ABCDEF', substr(hex(id), 18, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 19, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 20, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 21, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 22, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 23, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 24, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 25, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 26, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 27, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 28, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 29, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 30, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 31, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 32, 1))
    END AS ron_uid_origin_int,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40' THEN
        CASE substr(hex(id), 17, 1) WHEN '0' THEN 'name' WHEN '1' THEN 'hash' WHEN '2' THEN 'event' ELSE 'derived' END
    END AS ron_uid_scheme
FROM ids;

WITH inputs (input) AS (VALUES ('1CQKneD1-X~'), ('inc'), ('two-signs-')),
-- All bytes: the byte n is at the place n + 1.
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
-- The digits of the value, and the rest of the text.
rests (input, digits, rest) AS MATERIALIZED (
    SELECT input, substr(text, 1, length(text) - length(rest)), rest FROM (
        SELECT input, text, ltrim(text, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~') AS rest
        FROM (SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) BETWEEN 1 AND 21
            AND instr(input, char(0)) = 0 THEN input END AS text FROM inputs))
),
-- The sign, as its place in '$%-+' or 0. The blank is for the end of the text, because instr finds an empty text.
-- Digits alone are a name (0), or one of three events (2).
signs (input, digits, sign, bare, origin) AS MATERIALIZED (
    SELECT input, digits, sign, CASE WHEN rtrim(digits, '0') IN ('', '~', '~~~~~~~~~~') THEN 2 ELSE 0 END,
        substr(rest, 1 + (sign > 0))
    FROM (SELECT *, instr('$%-+', substr(rest || ' ', 1, 1)) AS sign FROM rests)
),
-- Nothing may follow the origin. The text leaves out a value of 0 if the origin is not 0, and an origin of 0 if it
-- has to have the sign.
parts (input, digits, origin_digits, scheme) AS MATERIALIZED (
    SELECT
        input,
        digits,
        CASE WHEN ltrim(origin, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~') = ''
            AND NOT (digits = '' AND rtrim(origin, '0') = '') AND NOT (origin = '' AND sign - 1 = bare) THEN origin END,
        CASE WHEN sign > 0 THEN sign - 1 ELSE bare END
    FROM signs
),
-- Zeros follow, up to ten digits of 6 bits. The 2 bits of the scheme are above the 60 bits of the origin.
numbers (input, n1, n2) AS MATERIALIZED (
    SELECT
        input,
        CASE WHEN length(digits) <= 10 AND length(origin_digits) <= 10 THEN
            instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 1, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 2, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 3, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 4, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 5, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 6, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 7, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 8, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 9, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(digits || '0000000000', 10, 1))
        END,
        (scheme << 60) + (
            instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 1, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 2, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 3, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 4, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 5, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 6, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 7, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 8, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 9, 1)) << 6
            | instr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                substr(origin_digits || '0000000000', 10, 1))
        )
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
    id AS ron_uid_parse,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40'
        AND substr(id, 9, 1) >= x'20' AND substr(id, 1, 2) < x'0FC0'
        AND (instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 7, 1)) & 63) < 24
        AND (instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 9, 1)) >> 2) < 60
        AND (instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 10, 1)) & 63) < 60
        AND substr(hex(id), 11, 3) < '3E8'
        AND date('2010-01-01',
            (instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 4, 1))) || ' months',
            (instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 6, 1)) >> 2) || ' days')
            < date('2010-01-01',
            (instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 4, 1))) || ' months', '+1 month')
    THEN
        date('2010-01-01',
            (instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 4, 1))) || ' months',
            (instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 6, 1)) >> 2) || ' days')
        || printf(' %02d:%02d:%02d.%03d',
            instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 7, 1)) & 63,
            instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 9, 1)) >> 2,
            instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 10, 1)) & 63,
            instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
            | instr('123456789ABCDEF', substr(hex(id), 13, 1)))
    END AS ron_uid_text_time
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- All bytes: the byte n is at the place n + 1.
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
-- The text up to the first digit of the fraction of a second; the fraction and what follows it. SQLite's functions
-- round a fraction to milliseconds, so it is read apart.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 3 digits of the fraction. SQLite reads 30 February as a day of March, so the date is checked.
times (moment, millis) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000', 1, 3) AS INTEGER) END
    FROM splits
),
-- From 2010-01-01 to 2345-12-31: months since 2010 (12 bits), the day from 0, hour, minute, second (6 bits each),
-- milliseconds and a sequence number (12 bits each).
values_at (moment, n) AS MATERIALIZED (
    SELECT moment, CASE WHEN millis BETWEEN 1262304000000 AND 11865398399999 THEN
        (strftime('%Y', millis / 1000, 'unixepoch') - 2010) * 12 + strftime('%m', millis / 1000, 'unixepoch') - 1 << 6
        | strftime('%d', millis / 1000, 'unixepoch') - 1 << 6
        | strftime('%H', millis / 1000, 'unixepoch') << 6
        | strftime('%M', millis / 1000, 'unixepoch') << 6
        | strftime('%S', millis / 1000, 'unixepoch') << 12
        | millis % 1000 << 12 END
    FROM times
)
-- The least is an event with the origin 0, the greatest a derived UID with the sequence number 4095.
SELECT
    moment,
    CAST(
        (substr(every, 1 + (n >> 56 & 255), 1) || substr(every, 1 + (n >> 48 & 255), 1))
        || (substr(every, 1 + (n >> 40 & 255), 1) || substr(every, 1 + (n >> 32 & 255), 1))
        || (substr(every, 1 + (n >> 24 & 255), 1) || substr(every, 1 + (n >> 16 & 255), 1))
        || (substr(every, 1 + (n >> 8 & 255), 1) || substr(every, 1 + (n & 255), 1))
        || x'2000000000000000'
    AS BLOB) AS ron_uid_min_at,
    CAST(
        (substr(every, 1 + ((n | 4095) >> 56 & 255), 1) || substr(every, 1 + ((n | 4095) >> 48 & 255), 1))
        || (substr(every, 1 + ((n | 4095) >> 40 & 255), 1) || substr(every, 1 + ((n | 4095) >> 32 & 255), 1))
        || (substr(every, 1 + ((n | 4095) >> 24 & 255), 1) || substr(every, 1 + ((n | 4095) >> 16 & 255), 1))
        || (substr(every, 1 + ((n | 4095) >> 8 & 255), 1) || substr(every, 1 + ((n | 4095) & 255), 1))
        || x'3FFFFFFFFFFFFFFF'
    AS BLOB) AS ron_uid_max_at
FROM values_at, bytes;

-- ==== event_id ====

WITH ids (id) AS (VALUES (x'0005CD755A43D79238C05790C0331DD8'))
SELECT
    id,
    -- The timestamp is below 2^63 if the first byte is below x'80'.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 AND substr(id, 1, 1) < x'80' THEN datetime((
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    ) / 1000000, 'unixepoch') || printf('.%06d', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    ) % 1000000) END AS event_id_time,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        lower(hex(id))
    END AS event_id_text,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 AND substr(id, 1, 1) < x'80' THEN
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    END AS event_id_timestamp_us,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        lower(hex(substr(id, 9, 4)))
    END AS event_id_checksum,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        lower(hex(substr(id, 13)))
    END AS event_id_ledger_id,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN
        instr('123456789ABCDEF', substr(hex(id), 32, 1)) & 3
    END AS event_id_version,
    -- For a column with Event IDs and UUIDs of version 7, which begin with 48 bits of milliseconds. Those of 2000 and
    -- later are greater than the Event IDs of before 3936. They begin with the literal, or are greater.
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 THEN id >= x'00DC6ACFAC00'
        AND substr(hex(id), 13, 1) = '7' AND substr(hex(id), 17, 1) BETWEEN '8' AND 'B'
    END AS event_id_is_uuid7,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 AND id >= x'00DC6ACFAC00'
        AND substr(hex(id), 13, 1) = '7' AND substr(hex(id), 17, 1) BETWEEN '8' AND 'B'
    THEN strftime('%Y-%m-%d %H:%M:%f', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1))
    ) / 1000.0, 'unixepoch') || '000' ELSE
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 AND substr(id, 1, 1) < x'80' THEN datetime((
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    ) / 1000000, 'unixepoch') || printf('.%06d', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    ) % 1000000) END
    END AS event_id_or_uuid7_time
FROM ids;

WITH inputs (input) AS (VALUES ('0005cd755a43d79238c05790c0331dd8'), ('0005cd75-5a43-d792-38c0-5790c0331dd8')),
-- All bytes: the byte n is at the place n + 1.
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
        AND input NOT GLOB '*[^0-9A-Fa-f]*'
        THEN upper(input) END
    FROM inputs
),
-- 128 bits as four numbers of 32 bits, 8 digits each.
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        instr('123456789ABCDEF', substr(text, 1, 1)) << 4 | instr('123456789ABCDEF', substr(text, 2, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 3, 1)) << 4 | instr('123456789ABCDEF', substr(text, 4, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 5, 1)) << 4 | instr('123456789ABCDEF', substr(text, 6, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 7, 1)) << 4 | instr('123456789ABCDEF', substr(text, 8, 1)),
        instr('123456789ABCDEF', substr(text, 9, 1)) << 4 | instr('123456789ABCDEF', substr(text, 10, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 11, 1)) << 4 | instr('123456789ABCDEF', substr(text, 12, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 13, 1)) << 4 | instr('123456789ABCDEF', substr(text, 14, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 15, 1)) << 4 | instr('123456789ABCDEF', substr(text, 16, 1)),
        instr('123456789ABCDEF', substr(text, 17, 1)) << 4 | instr('123456789ABCDEF', substr(text, 18, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 19, 1)) << 4 | instr('123456789ABCDEF', substr(text, 20, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 21, 1)) << 4 | instr('123456789ABCDEF', substr(text, 22, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 23, 1)) << 4 | instr('123456789ABCDEF', substr(text, 24, 1)),
        instr('123456789ABCDEF', substr(text, 25, 1)) << 4 | instr('123456789ABCDEF', substr(text, 26, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 27, 1)) << 4 | instr('123456789ABCDEF', substr(text, 28, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 29, 1)) << 4 | instr('123456789ABCDEF', substr(text, 30, 1)) << 4
        | instr('123456789ABCDEF', substr(text, 31, 1)) << 4 | instr('123456789ABCDEF', substr(text, 32, 1))
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
    id AS event_id_parse,
    CASE WHEN typeof(id) = 'blob' AND length(id) = 16 AND substr(id, 1, 1) < x'80' THEN datetime((
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    ) / 1000000, 'unixepoch') || printf('.%06d', (
        instr('123456789ABCDEF', substr(hex(id), 1, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 2, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 3, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 4, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 5, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 6, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 7, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 8, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 9, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 10, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 11, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 12, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 13, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 14, 1)) << 4
        | instr('123456789ABCDEF', substr(hex(id), 15, 1)) << 4 | instr('123456789ABCDEF', substr(hex(id), 16, 1))
    ) % 1000000) END AS event_id_text_time
FROM parsed;

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
-- All bytes: the byte n is at the place n + 1.
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
-- The text up to the first digit of the fraction of a second; the fraction and what follows it. SQLite's functions
-- round a fraction to milliseconds, so it is read apart.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and 6 digits of the fraction. SQLite reads 30 February as a day of March, so the date is checked.
times (moment, micros) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * 1000000 + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '000000', 1, 6) AS INTEGER) END
    FROM splits
),
-- Up to the year 9999, where SQLite's times end.
heads (moment, millis, head) AS MATERIALIZED (
    SELECT moment, CASE WHEN micros >= 0 THEN micros / 1000 END,
        CASE WHEN micros BETWEEN 0 AND 253402300799999999 THEN CAST(
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
    CAST(head || x'FFFFFFFFFFFFFFFF' AS BLOB) AS event_id_max_at,
    CASE WHEN millis BETWEEN 0 AND 253402300799999 THEN CAST(
        (substr(every, 1 + (millis >> 40 & 255), 1) || substr(every, 1 + (millis >> 32 & 255), 1))
        || (substr(every, 1 + (millis >> 24 & 255), 1) || substr(every, 1 + (millis >> 16 & 255), 1))
        || (substr(every, 1 + (millis >> 8 & 255), 1) || substr(every, 1 + (millis & 255), 1))
        || x'00000000000000000000' AS BLOB) END AS event_id_uuid7_min_at
FROM heads, bytes;
