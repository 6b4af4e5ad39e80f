-- IDs of five specifications in ClickHouse: times, bounds of queries by time, text, fields.
--
-- ClickHouse 26.1 or later: in versions of 2025, base32Encode() takes all memory. These are functions in SQL: there is
-- nothing to install. Their names are global. Running this file again changes nothing. On a cluster, write ON CLUSTER
-- after each name.
--
-- Column types: SCRU160 FixedString(20); EUID, RON UID and Event ID FixedString(16); Ulid-Flake Int64 or UInt64.
-- A String of the same bytes also works. Do not use the type UUID: it sorts by its low half first, so its order is not
-- that of the times, and a primary key does not help.
--
-- A query by time uses the least and the greatest ID of its ends. ClickHouse computes both once, and uses the primary
-- key:
--
--     SELECT * FROM orders WHERE id BETWEEN euid_min_at(toDateTime('2024-06-01 00:00:00', 'UTC'))
--                                       AND euid_max_at(toDateTime('2024-06-30 23:59:59', 'UTC'));
--
-- Times are DateTime64(3, 'UTC'), for Event IDs DateTime64(6, 'UTC'). The functions `…_min_at` and `…_max_at` take a
-- DateTime or a DateTime64 of any scale and time zone.
--
-- An ID or a text that the specification does not allow, and a time out of range, is an error. So is the time of an ID
-- after 2299: not all versions of ClickHouse have such times. NULL gives NULL. The functions `…_try_parse` and
-- `…_is_valid` have no errors, unless the prefix of a typed ID breaks the rules. The messages stand behind ClickHouse's
-- words `Cannot parse string`: a function in SQL cannot raise an error of its own with a value in it. Functions that
-- begin with sortid__ are internal: the others call them, and they may change.
--
-- Not possible: new IDs. ClickHouse has no cryptographic source of random bits, and a function has no state.

-- ==== shared ====

-- 0, or an error with this message if `wrong` is true: toUInt8() refuses a text that is not a number. throwIf() takes
-- constant messages only, and ClickHouse computes it too late to use the primary key. With ifNull(), the text is not
-- Nullable: of a Nullable text that is not a number, toUInt8() makes NULL.
CREATE OR REPLACE FUNCTION sortid__refuse AS (wrong, message) -> toUInt8(if(wrong, ifNull(message, ''), '0'));

-- A text for a message. Long texts are cut.
CREATE OR REPLACE FUNCTION sortid__quote AS (input) ->
    concat('"', substring(input, 1, 50), if(length(input) > 50, '…', ''), '"');

-- 0, or an error if an ID does not have this size.
CREATE OR REPLACE FUNCTION sortid__size AS (id, size, name) ->
    sortid__refuse(length(id) != size,
        concat(name, ': expected ', toString(size), ' bytes, found ', toString(length(id))));

-- The integer of the 8 bytes from `place` on. The most significant byte comes first, so byteSwap().
CREATE OR REPLACE FUNCTION sortid__uint64 AS (id, place) -> byteSwap(reinterpretAsUInt64(substring(id, place, 8)));

-- The 8 bytes of an integer.
CREATE OR REPLACE FUNCTION sortid__bytes AS (int) -> reinterpretAsFixedString(byteSwap(toUInt64(int)));

-- The time of an ID in milliseconds since 1970.
CREATE OR REPLACE FUNCTION sortid__time AS (millis, name) ->
    fromUnixTimestamp64Milli(toInt64(millis) + sortid__refuse(millis > 10413791999999,
        concat(name, ': expected a time before the year 2300, found ', toString(millis), ' ms since 1970')), 'UTC');

-- The microseconds since 1970 of a time from `least` to `greatest`, both in microseconds. The conversion rounds towards
-- 1970, so the time itself tells whether it is before.
CREATE OR REPLACE FUNCTION sortid__micros AS (moment, least, greatest, expected) ->
    toUInt64(toUnixTimestamp64Micro(toDateTime64(toTimeZone(moment, 'UTC'), 6, 'UTC'))
        + sortid__refuse(toTimeZone(moment, 'UTC') < toDateTime64('1970-01-01 00:00:00', 0, 'UTC')
            OR toUnixTimestamp64Micro(toDateTime64(toTimeZone(moment, 'UTC'), 6, 'UTC')) NOT BETWEEN least AND greatest,
            concat(expected, ' UTC, found ', toString(toTimeZone(moment, 'UTC')))));

-- Digits of Crockford's base 32 from those of RFC 4648.
CREATE OR REPLACE FUNCTION sortid__crockford AS (digits) ->
    translate(digits, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', '0123456789ABCDEFGHJKMNPQRSTVWXYZ');

-- The reverse. Lower case, I and L as 1, and O as 0 have the same values.
CREATE OR REPLACE FUNCTION sortid__uncrockford AS (digits) ->
    translate(digits, '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyzIiLlOo',
        'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567KLMNOPQRSTUVWXYZ234567BBBBAA');

-- Whether the bits of the version (bits 48 to 51) and of the variant (64 and 65) are those of UUIDs of version 7.
CREATE OR REPLACE FUNCTION sortid__has_version_7 AS (id, name) ->
    bitAnd(sortid__uint64(id, 1 + sortid__size(id, 16, name)), 61440) = 28672
    AND bitShiftRight(sortid__uint64(id, 9), 62) = 2;

-- A UUID of version 7 begins with 48 bits of milliseconds since 1970.
CREATE OR REPLACE FUNCTION sortid__uuid7_min_at AS (moment) ->
    toFixedString(concat(sortid__bytes(bitShiftLeft(intDiv(sortid__micros(moment, 0, 281474976710655999,
        'UUID of version 7: expected a time from 1970 to 10889-08-02 05:31:50.655'), 1000), 16)), repeat('\0', 8)), 16);

-- Whether a prefix of typed IDs follows the rules of TypeID.
CREATE OR REPLACE FUNCTION sortid__is_prefix AS (prefix) -> match(prefix, '\\A[a-z]([a-z_]{0,61}[a-z])?\\z');

-- The prefix and the _ behind it, or an error if the prefix breaks the rules. Beside NULL, the prefix may be anything.
CREATE OR REPLACE FUNCTION sortid__prefix AS (prefix, beside) ->
    concat(prefix, substring('_', 1 + sortid__refuse(beside IS NOT NULL AND NOT sortid__is_prefix(prefix),
        concat('expected a prefix of 1 to 63 characters ''a'' to ''z'' and ''_'', with a letter at both ends, found ',
            sortid__quote(prefix)))));

-- What follows the prefix and its _ in a text, or an error if the text starts otherwise.
CREATE OR REPLACE FUNCTION sortid__after_prefix AS (prefix, input) ->
    substring(input, 1 + length(sortid__prefix(prefix, input))
        + sortid__refuse(sortid__is_prefix(prefix) AND NOT startsWith(input, concat(prefix, '_')),
            concat('expected the prefix "', prefix, '_", found ', sortid__quote(input))));

-- The same, with an empty text, which is no ID, instead of the error.
CREATE OR REPLACE FUNCTION sortid__try_after_prefix AS (prefix, input) ->
    if(startsWith(input, sortid__prefix(prefix, input)), substring(input, length(prefix) + 2), '');

-- ==== scru160 ====
-- Bytes 1 to 6: milliseconds since 1970. Bytes 7 and 8: counter. Bytes 9 and 10: random16. Bytes 11 to 20: random80.

CREATE OR REPLACE FUNCTION scru160_timestamp_ms AS (id) ->
    bitShiftRight(byteSwap(reinterpretAsUInt64(id)), 16) + sortid__size(id, 20, 'SCRU160');

CREATE OR REPLACE FUNCTION scru160_counter AS (id) ->
    bitAnd(byteSwap(reinterpretAsUInt64(id)), 65535) + sortid__size(id, 20, 'SCRU160');

CREATE OR REPLACE FUNCTION scru160_random16 AS (id) ->
    bitShiftRight(sortid__uint64(id, 9), 48) + sortid__size(id, 20, 'SCRU160');

CREATE OR REPLACE FUNCTION scru160_random80 AS (id) ->
    toFixedString(substring(id, 11 + sortid__size(id, 20, 'SCRU160'), 10), 10);

CREATE OR REPLACE FUNCTION scru160_time AS (id) -> sortid__time(scru160_timestamp_ms(id), 'SCRU160');

-- base32hex has the digits of RFC 4648 in another order.
CREATE OR REPLACE FUNCTION scru160_text AS (id) ->
    translate(base32Encode(substring(id, 1 + sortid__size(id, 20, 'SCRU160'), 20)),
        'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', '0123456789ABCDEFGHIJKLMNOPQRSTUV');

-- 32 digits of base32hex or 40 of hex.
CREATE OR REPLACE FUNCTION scru160_is_valid AS (input) ->
    match(input, '\\A([0-9A-Va-v]{32}|[0-9A-Fa-f]{40})\\z');

-- The bytes of a valid text.
CREATE OR REPLACE FUNCTION sortid__scru160_read AS (input) ->
    if(length(input) = 40, unhex(input),
        tryBase32Decode(translate(input, '0123456789ABCDEFGHIJKLMNOPQRSTUVabcdefghijklmnopqrstuv',
            'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567KLMNOPQRSTUVWXYZ234567')));

CREATE OR REPLACE FUNCTION scru160_parse AS (input) ->
    toFixedString(substring(sortid__scru160_read(input),
        1 + sortid__refuse(NOT scru160_is_valid(input),
            concat('SCRU160: expected 32 digits of base32hex or 40 of hex, found ', sortid__quote(input))), 20), 20);

CREATE OR REPLACE FUNCTION scru160_try_parse AS (input) ->
    if(scru160_is_valid(input), toFixedString(substring(sortid__scru160_read(input), 1, 20), 20), NULL);

CREATE OR REPLACE FUNCTION scru160_text_time AS (input) -> scru160_time(scru160_parse(input));

CREATE OR REPLACE FUNCTION scru160_typed_text AS (prefix, id) ->
    concat(sortid__prefix(prefix, id), scru160_text(id));

CREATE OR REPLACE FUNCTION scru160_typed_parse AS (prefix, input) ->
    scru160_parse(sortid__after_prefix(prefix, input));

CREATE OR REPLACE FUNCTION scru160_typed_try_parse AS (prefix, input) ->
    scru160_try_parse(sortid__try_after_prefix(prefix, input));

-- The first 8 bytes of a time.
CREATE OR REPLACE FUNCTION sortid__scru160_head AS (moment, counter) ->
    sortid__bytes(counter + bitShiftLeft(intDiv(sortid__micros(moment, 0, 281474976710655999,
        'SCRU160: expected a time from 1970 to 10889-08-02 05:31:50.655'), 1000), 16));

CREATE OR REPLACE FUNCTION scru160_min_at AS (moment) ->
    toFixedString(concat(sortid__scru160_head(moment, 0), repeat('\0', 12)), 20);

CREATE OR REPLACE FUNCTION scru160_max_at AS (moment) ->
    toFixedString(concat(sortid__scru160_head(moment, 65535), repeat('\xFF', 12)), 20);

-- ==== euid ====
-- 45 bits: milliseconds since 1970. 15 bits: random bits above the extension. 4 bits: how many bits the extension has.
-- 32 bits: random high. 32 bits: random low.

-- The first 64 bits.
CREATE OR REPLACE FUNCTION sortid__euid_head AS (id) ->
    byteSwap(reinterpretAsUInt64(id)) + sortid__size(id, 16, 'EUID');

CREATE OR REPLACE FUNCTION euid_timestamp_ms AS (id) -> bitShiftRight(sortid__euid_head(id), 19);

CREATE OR REPLACE FUNCTION euid_extension_bits AS (id) -> bitAnd(sortid__euid_head(id), 15);

CREATE OR REPLACE FUNCTION euid_random_upper AS (id) ->
    bitShiftRight(bitAnd(bitShiftRight(sortid__euid_head(id), 4), 32767), euid_extension_bits(id));

-- NULL if the ID has no extension. 2^bits - 1 are the bits of the extension.
CREATE OR REPLACE FUNCTION euid_extension AS (id) ->
    if(euid_extension_bits(id) = 0, NULL,
        bitAnd(bitShiftRight(sortid__euid_head(id), 4), bitShiftLeft(toUInt64(1), euid_extension_bits(id)) - 1));

CREATE OR REPLACE FUNCTION euid_random_high AS (id) ->
    bitShiftRight(sortid__uint64(id, 9), 32) + sortid__size(id, 16, 'EUID');

CREATE OR REPLACE FUNCTION euid_random_low AS (id) ->
    bitAnd(sortid__uint64(id, 9), 4294967295) + sortid__size(id, 16, 'EUID');

-- The remainder of 16 bytes by 127. 2^64 mod 127 is 2.
CREATE OR REPLACE FUNCTION sortid__euid_check AS (id) ->
    (byteSwap(reinterpretAsUInt64(id)) % 127 * 2 + sortid__uint64(id, 9) % 127) % 127;

CREATE OR REPLACE FUNCTION euid_check AS (id) -> sortid__euid_check(id) + sortid__size(id, 16, 'EUID');

CREATE OR REPLACE FUNCTION euid_time AS (id) -> sortid__time(euid_timestamp_ms(id), 'EUID');

-- A last byte with the 7 bits of the check and a 0 makes 17 bytes. Their first 27 digits are the text.
CREATE OR REPLACE FUNCTION euid_text AS (id) ->
    sortid__crockford(substring(base32Encode(concat(id, char(euid_check(id) * 2))), 1, 27));

-- The reverse: the 17 bytes of a text of 27 digits.
CREATE OR REPLACE FUNCTION sortid__euid_read AS (input) -> tryBase32Decode(concat(sortid__uncrockford(input), 'A===='));

-- The check of the 17 bytes.
CREATE OR REPLACE FUNCTION sortid__euid_found AS (bytes) -> intDiv(reinterpretAsUInt8(substring(bytes, 17, 1)), 2);

CREATE OR REPLACE FUNCTION sortid__euid_is_text AS (input) -> match(input, '\\A[0-9A-TV-Za-tv-z]{27}\\z');

-- Whether the check of a text of 27 digits is right. 127 means that the text has no check.
CREATE OR REPLACE FUNCTION sortid__euid_is_right AS (input) ->
    sortid__euid_found(sortid__euid_read(input)) = 127
    OR sortid__euid_found(sortid__euid_read(input)) = sortid__euid_check(sortid__euid_read(input));

CREATE OR REPLACE FUNCTION euid_is_valid AS (input) -> sortid__euid_is_text(input) AND sortid__euid_is_right(input);

CREATE OR REPLACE FUNCTION euid_parse AS (input) ->
    toFixedString(substring(sortid__euid_read(input), 1 + sortid__refuse(NOT euid_is_valid(input),
        if(sortid__euid_is_text(input),
            concat('EUID: expected the check ', toString(sortid__euid_check(sortid__euid_read(input))), ', found ',
                toString(sortid__euid_found(sortid__euid_read(input))), ' in ', sortid__quote(input)),
            concat('EUID: expected 27 digits of Crockford''s base 32, found ', sortid__quote(input)))), 16), 16);

CREATE OR REPLACE FUNCTION euid_try_parse AS (input) ->
    if(euid_is_valid(input), toFixedString(substring(sortid__euid_read(input), 1, 16), 16), NULL);

CREATE OR REPLACE FUNCTION euid_text_time AS (input) -> euid_time(euid_parse(input));

CREATE OR REPLACE FUNCTION euid_typed_text AS (prefix, id) ->
    concat(sortid__prefix(prefix, id), euid_text(id));

CREATE OR REPLACE FUNCTION euid_typed_parse AS (prefix, input) ->
    euid_parse(sortid__after_prefix(prefix, input));

CREATE OR REPLACE FUNCTION euid_typed_try_parse AS (prefix, input) ->
    euid_try_parse(sortid__try_after_prefix(prefix, input));

-- The first 8 bytes of a time.
CREATE OR REPLACE FUNCTION sortid__euid_at AS (moment, rest) ->
    sortid__bytes(rest + bitShiftLeft(intDiv(sortid__micros(moment, 0, 35184372088831999,
        'EUID: expected a time from 1970 to 3084-12-12 12:41:28.831'), 1000), 19));

CREATE OR REPLACE FUNCTION euid_min_at AS (moment) ->
    toFixedString(concat(sortid__euid_at(moment, 0), repeat('\0', 8)), 16);

-- 524287 are the 19 bits below the milliseconds.
CREATE OR REPLACE FUNCTION euid_max_at AS (moment) ->
    toFixedString(concat(sortid__euid_at(moment, 524287), repeat('\xFF', 8)), 16);

-- For a column that has both. A UUID of version 7 begins with 48 bits of milliseconds, an EUID with 45. So those UUIDs
-- of before 2209-12-30 are less than the EUIDs of 2000 and later. The literal is the first half of the least of these.
CREATE OR REPLACE FUNCTION euid_is_uuid7 AS (id) ->
    sortid__has_version_7(id, 'EUID') AND byteSwap(reinterpretAsUInt64(id)) < 496335480422400000;

CREATE OR REPLACE FUNCTION euid_or_uuid7_time AS (id) ->
    sortid__time(bitShiftRight(sortid__euid_head(id), if(euid_is_uuid7(id), 16, 19)), 'EUID');

-- Two ranges, each of which can use the primary key.
CREATE OR REPLACE FUNCTION euid_or_uuid7_within AS (id, since, before) ->
    (id >= euid_min_at(since) AND id < euid_min_at(before) AND NOT euid_is_uuid7(id))
    OR (id >= sortid__uuid7_min_at(since) AND id < sortid__uuid7_min_at(before) AND euid_is_uuid7(id));

-- ==== ulid_flake ====
-- 1 bit: 0. 43 bits: milliseconds since 2024. 20 bits: randomness. In the scalable version, the last 5 of these are the
-- scalability.

-- An ID that is not negative. A UInt64 above the greatest ID becomes negative.
CREATE OR REPLACE FUNCTION sortid__ulid_flake AS (id) ->
    toInt64(id) + sortid__refuse(toInt64(id) < 0,
        concat('Ulid-Flake: expected an integer from 0 to 9223372036854775807, found ', toString(id)));

CREATE OR REPLACE FUNCTION ulid_flake_timestamp_ms AS (id) -> bitShiftRight(sortid__ulid_flake(id), 20);

CREATE OR REPLACE FUNCTION ulid_flake_randomness AS (id) -> bitAnd(sortid__ulid_flake(id), 1048575);

CREATE OR REPLACE FUNCTION ulid_flake_scalable_randomness AS (id) ->
    bitAnd(bitShiftRight(sortid__ulid_flake(id), 5), 32767);

CREATE OR REPLACE FUNCTION ulid_flake_scalability AS (id) -> bitAnd(sortid__ulid_flake(id), 31);

CREATE OR REPLACE FUNCTION ulid_flake_time AS (id) ->
    sortid__time(1704067200000 + ulid_flake_timestamp_ms(id), 'Ulid-Flake');

-- 10 bytes are 16 digits, of which the last 13 are the text.
CREATE OR REPLACE FUNCTION ulid_flake_text AS (id) ->
    sortid__crockford(substring(base32Encode(concat('\0\0', sortid__bytes(sortid__ulid_flake(id)))), 4, 13));

CREATE OR REPLACE FUNCTION ulid_flake_is_valid AS (input) ->
    match(input, '\\A[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}\\z');

-- The integer of a valid text.
CREATE OR REPLACE FUNCTION sortid__ulid_flake_read AS (input) ->
    toInt64(sortid__uint64(tryBase32Decode(concat('AAA', sortid__uncrockford(input))), 3));

CREATE OR REPLACE FUNCTION ulid_flake_parse AS (input) ->
    sortid__ulid_flake_read(input)
        + sortid__refuse(NOT ulid_flake_is_valid(input),
            concat('Ulid-Flake: expected 13 digits of Crockford''s base 32, not above 7ZZZZZZZZZZZZ, found ',
                sortid__quote(input)));

CREATE OR REPLACE FUNCTION ulid_flake_try_parse AS (input) ->
    if(ulid_flake_is_valid(input), sortid__ulid_flake_read(input), NULL);

CREATE OR REPLACE FUNCTION ulid_flake_text_time AS (input) -> ulid_flake_time(ulid_flake_parse(input));

CREATE OR REPLACE FUNCTION ulid_flake_typed_text AS (prefix, id) ->
    concat(sortid__prefix(prefix, id), ulid_flake_text(id));

CREATE OR REPLACE FUNCTION ulid_flake_typed_parse AS (prefix, input) ->
    ulid_flake_parse(sortid__after_prefix(prefix, input));

CREATE OR REPLACE FUNCTION ulid_flake_typed_try_parse AS (prefix, input) ->
    ulid_flake_try_parse(sortid__try_after_prefix(prefix, input));

CREATE OR REPLACE FUNCTION ulid_flake_min_at AS (moment) ->
    toInt64(bitShiftLeft(intDiv(sortid__micros(moment, 1704067200000000, 10500160222207999,
        'Ulid-Flake: expected a time from 2024 to 2302-09-27 15:10:22.207'), 1000) - 1704067200000, 20));

CREATE OR REPLACE FUNCTION ulid_flake_max_at AS (moment) -> ulid_flake_min_at(moment) + 1048575;

-- ==== ron_uid ====
-- Bytes 1 to 8: value, 60 bits. Bytes 9 to 16: scheme, 2 bits, above the origin, 60 bits. The upper bits are 0.

-- 0, or an error if an ID is not a RON UID.
CREATE OR REPLACE FUNCTION sortid__ron_uid AS (id) ->
    sortid__size(id, 16, 'RON UID')
    + sortid__refuse(byteSwap(reinterpretAsUInt64(id)) >= 1152921504606846976
            OR sortid__uint64(id, 9) >= 4611686018427387904,
        concat('RON UID: expected 0 in the upper 4 bits of byte 1 and the upper 2 bits of byte 9, found ',
            lower(hex(id))));

CREATE OR REPLACE FUNCTION ron_uid_value_int AS (id) -> byteSwap(reinterpretAsUInt64(id)) + sortid__ron_uid(id);

-- 1152921504606846975 are the low 60 bits.
CREATE OR REPLACE FUNCTION ron_uid_origin_int AS (id) ->
    bitAnd(sortid__uint64(id, 9), 1152921504606846975) + sortid__ron_uid(id);

-- 0 for names, 1 for hashes, 2 for events, 3 for derived UIDs.
CREATE OR REPLACE FUNCTION sortid__ron_uid_scheme AS (id) ->
    bitAnd(bitShiftRight(sortid__uint64(id, 9), 60), 3) + sortid__ron_uid(id);

CREATE OR REPLACE FUNCTION ron_uid_scheme AS (id) ->
    ['name', 'hash', 'event', 'derived'][1 + sortid__ron_uid_scheme(id)];

-- The digits of the value, or of the origin at `place` 9. A byte before the 8 bytes makes 12 digits of base64. The last
-- 10 are those of Base64x64, which has another order.
CREATE OR REPLACE FUNCTION sortid__ron_uid_digits AS (id, place) ->
    trim(TRAILING '0' FROM translate(
        substring(base64Encode(concat('\0', substring(id, place + sortid__ron_uid(id), 8))), 3, 10),
        'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~'));

CREATE OR REPLACE FUNCTION ron_uid_value AS (id) ->
    concat(sortid__ron_uid_digits(id, 1), if(sortid__ron_uid_digits(id, 1) = '', '0', ''));

CREATE OR REPLACE FUNCTION ron_uid_origin AS (id) ->
    concat(sortid__ron_uid_digits(id, 9), if(sortid__ron_uid_digits(id, 9) = '', '0', ''));

-- A value of 0 before an origin is left out. Without an origin, names are the value alone, and so are the events 0, ~
-- and ~~~~~~~~~~.
CREATE OR REPLACE FUNCTION ron_uid_text AS (id) ->
    concat(if(ron_uid_value_int(id) = 0 AND ron_uid_origin_int(id) = 0, '0', sortid__ron_uid_digits(id, 1)),
        if(ron_uid_origin_int(id) = 0 AND sortid__ron_uid_scheme(id)
                = if(sortid__ron_uid_digits(id, 1) IN ('', '~', '~~~~~~~~~~'), 2, 0), '',
            concat(substring('$%-+', 1 + sortid__ron_uid_scheme(id), 1), sortid__ron_uid_digits(id, 9))));

-- The part of a value that begins at a bit, of 6 bits (63) or 12 (4095).
CREATE OR REPLACE FUNCTION sortid__ron_uid_part AS (id, bit, mask) ->
    bitAnd(bitShiftRight(byteSwap(reinterpretAsUInt64(id)), bit), mask);

-- The days from 1970 to the first day of a month, which counts from March of the year 0. 5 months from March on have
-- 153 days. 719468 days are before 1970.
CREATE OR REPLACE FUNCTION sortid__ron_uid_days AS (months) ->
    intDiv(months, 12) * 365 + intDiv(months, 48) - intDiv(months, 1200) + intDiv(months, 4800)
    + intDiv(months % 12 * 153 + 2, 5) - 719468;

-- The same for the month of a value. 24118 months are from March of the year 0 to January 2010.
CREATE OR REPLACE FUNCTION sortid__ron_uid_first AS (id) ->
    sortid__ron_uid_days(toInt64(sortid__ron_uid_part(id, 48, 4095)) + 24118);

-- The parts of a value that is a time have 6 bits each, months and milliseconds 12: months since 2010, day of the month
-- from 0 on, hour, minute, second, milliseconds, sequence. From month 4032 on (January 2346), values are not times.
-- Names and hashes have no time.
CREATE OR REPLACE FUNCTION ron_uid_time AS (id) ->
    sortid__time(if(sortid__ron_uid_scheme(id) >= 2 AND sortid__ron_uid_part(id, 48, 4095) < 4032
        AND sortid__ron_uid_part(id, 42, 63) < sortid__ron_uid_days(sortid__ron_uid_part(id, 48, 4095) + 24119)
            - sortid__ron_uid_first(id)
        AND sortid__ron_uid_part(id, 36, 63) < 24 AND sortid__ron_uid_part(id, 30, 63) < 60
        AND sortid__ron_uid_part(id, 24, 63) < 60 AND sortid__ron_uid_part(id, 12, 4095) < 1000,
        (sortid__ron_uid_first(id) + sortid__ron_uid_part(id, 42, 63)) * 86400000
            + sortid__ron_uid_part(id, 36, 63) * 3600000 + sortid__ron_uid_part(id, 30, 63) * 60000
            + sortid__ron_uid_part(id, 24, 63) * 1000 + sortid__ron_uid_part(id, 12, 4095),
        NULL), 'RON UID');

-- Digits alone are a name, or one of the events 0, ~ and ~~~~~~~~~~. The text leaves out an origin of 0 if it has to
-- have a sign, and a value of 0 if the origin is not 0.
CREATE OR REPLACE FUNCTION ron_uid_is_valid AS (input) ->
    match(input, replaceAll(
        '\\A(D{1,10}([-+%]|[-+$%]D{1,10})?|(0{1,10}|~0{0,9}|~{10})[$]|[-+$%]D{1,10})\\z', 'D', '[0-9A-Z_a-z~]'))
    AND NOT match(input, '\\A((0+|~0*|~{10})-|[-+$%]0+)\\z');

-- The digits of the value and of the origin of a text.
CREATE OR REPLACE FUNCTION sortid__ron_uid_first_part AS (input) ->
    substring(concat(regexpExtract(input, '^[0-9A-Z_a-z~]*', 0), '0000000000'), 1, 10);

CREATE OR REPLACE FUNCTION sortid__ron_uid_last_part AS (input) ->
    substring(concat(regexpExtract(input, '^[0-9A-Z_a-z~]*[-+$%]?(.*)$', 1), '0000000000'), 1, 10);

-- The scheme of a text as a digit of base64, A to D. Digits alone are a name, except 0, ~ and ~~~~~~~~~~.
CREATE OR REPLACE FUNCTION sortid__ron_uid_sign AS (input) ->
    multiIf(match(input, '[-+$%]'), ['A', 'B', 'C', 'D'][position('$%-+', regexpExtract(input, '[-+$%]', 0))],
        match(input, '^[0-9A-Z_a-z~]+$')
            AND sortid__ron_uid_first_part(input) NOT IN ('0000000000', '~000000000', '~~~~~~~~~~'), 'A', 'C');

-- Each part of 10 digits becomes 12 digits of base64, 9 bytes, of which the first is 0 and is left out.
CREATE OR REPLACE FUNCTION sortid__ron_uid_read AS (input) ->
    tryBase64Decode(concat(
        'AA', translate(sortid__ron_uid_first_part(input),
            '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
            'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
        'A', sortid__ron_uid_sign(input), translate(sortid__ron_uid_last_part(input),
            '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
            'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')));

CREATE OR REPLACE FUNCTION ron_uid_parse AS (input) ->
    toFixedString(concat(substring(sortid__ron_uid_read(input), 2, 8),
        substring(sortid__ron_uid_read(input), 11 + sortid__refuse(NOT ron_uid_is_valid(input),
            concat('RON UID: expected a value, a sign (- + $ %) and an origin, of at most 10 digits of Base64x64 ',
                'each, found ', sortid__quote(input))), 8)), 16);

CREATE OR REPLACE FUNCTION ron_uid_try_parse AS (input) ->
    if(ron_uid_is_valid(input), toFixedString(concat(substring(sortid__ron_uid_read(input), 2, 8),
        substring(sortid__ron_uid_read(input), 11, 8)), 16), NULL);

CREATE OR REPLACE FUNCTION ron_uid_text_time AS (input) -> ron_uid_time(ron_uid_parse(input));

CREATE OR REPLACE FUNCTION ron_uid_typed_text AS (prefix, id) ->
    concat(sortid__prefix(prefix, id), ron_uid_text(id));

CREATE OR REPLACE FUNCTION ron_uid_typed_parse AS (prefix, input) ->
    ron_uid_parse(sortid__after_prefix(prefix, input));

CREATE OR REPLACE FUNCTION ron_uid_typed_try_parse AS (prefix, input) ->
    ron_uid_try_parse(sortid__try_after_prefix(prefix, input));

-- The month of a day after 1970, both counted as above. 400 years have 4800 months and 146097 days; the month of the
-- average length is corrected by one. toYear() does not have the years after 2299 in all versions.
CREATE OR REPLACE FUNCTION sortid__ron_uid_month AS (days) ->
    intDiv((days + 719468) * 4800, 146097)
    - (sortid__ron_uid_days(intDiv((days + 719468) * 4800, 146097)) > days)
    + (sortid__ron_uid_days(intDiv((days + 719468) * 4800, 146097) + 1) <= days);

-- The value of a time in milliseconds since 1970, whose month is known, with the sequence 0.
CREATE OR REPLACE FUNCTION sortid__ron_uid_calendar AS (millis, month) ->
    bitShiftLeft(toInt64(month - 24118), 48)
    + bitShiftLeft(toInt64(intDiv(millis, 86400000) - sortid__ron_uid_days(month)), 42)
    + bitShiftLeft(toInt64(intDiv(millis, 3600000) % 24), 36) + bitShiftLeft(toInt64(intDiv(millis, 60000) % 60), 30)
    + bitShiftLeft(toInt64(intDiv(millis, 1000) % 60), 24) + bitShiftLeft(toInt64(millis % 1000), 12);

-- The value of a time in a range. arrayMap() gives names to the milliseconds and the month, which are needed often.
CREATE OR REPLACE FUNCTION sortid__ron_uid_at AS (moment) ->
    arrayMap(millis -> arrayMap(month -> sortid__ron_uid_calendar(millis, month),
            [sortid__ron_uid_month(intDiv(millis, 86400000))])[1],
        [toInt64(intDiv(sortid__micros(moment, 1262304000000000, 11865398399999999,
            'RON UID: expected a time from 2010 to 2345 in'), 1000))])[1];

-- An event with the sequence 0 and the origin 0. 2 is the scheme.
CREATE OR REPLACE FUNCTION ron_uid_min_at AS (moment) ->
    toFixedString(concat(sortid__bytes(sortid__ron_uid_at(moment)), sortid__bytes(bitShiftLeft(toUInt64(2), 60))), 16);

-- A derived UID with the greatest sequence and the greatest origin. 4 times 2^60, less 1, has the scheme 3.
CREATE OR REPLACE FUNCTION ron_uid_max_at AS (moment) ->
    toFixedString(concat(sortid__bytes(sortid__ron_uid_at(moment) + 4095),
        sortid__bytes(bitShiftLeft(toUInt64(4), 60) - 1)), 16);

-- ==== event_id ====
-- 64 bits: microseconds since 1970. 32 bits: checksum. 32 bits: ledger ID, of which the last 2 are the version.

CREATE OR REPLACE FUNCTION event_id_timestamp_us AS (id) ->
    byteSwap(reinterpretAsUInt64(id)) + sortid__size(id, 16, 'Event ID');

CREATE OR REPLACE FUNCTION event_id_text AS (id) ->
    lower(hex(substring(id, 1 + sortid__size(id, 16, 'Event ID'), 16)));

CREATE OR REPLACE FUNCTION event_id_checksum AS (id) -> substring(event_id_text(id), 17, 8);

CREATE OR REPLACE FUNCTION event_id_ledger_id AS (id) -> substring(event_id_text(id), 25, 8);

CREATE OR REPLACE FUNCTION event_id_version AS (id) ->
    bitAnd(sortid__uint64(id, 9), 3) + sortid__size(id, 16, 'Event ID');

-- The time of an ID in microseconds since 1970.
CREATE OR REPLACE FUNCTION sortid__event_id_time AS (micros) ->
    fromUnixTimestamp64Micro(toInt64(micros) + sortid__refuse(micros > 10413791999999999,
        concat('Event ID: expected a time before the year 2300, found ', toString(micros),
            ' microseconds since 1970')), 'UTC');

CREATE OR REPLACE FUNCTION event_id_time AS (id) -> sortid__event_id_time(event_id_timestamp_us(id));

CREATE OR REPLACE FUNCTION event_id_is_valid AS (input) -> match(input, '\\A[0-9A-Fa-f]{32}\\z');

CREATE OR REPLACE FUNCTION event_id_parse AS (input) ->
    toFixedString(substring(unhex(input), 1 + sortid__refuse(NOT event_id_is_valid(input),
        concat('Event ID: expected 32 digits of hex, found ', sortid__quote(input))), 16), 16);

CREATE OR REPLACE FUNCTION event_id_try_parse AS (input) ->
    if(event_id_is_valid(input), toFixedString(substring(unhex(input), 1, 16), 16), NULL);

CREATE OR REPLACE FUNCTION event_id_text_time AS (input) -> event_id_time(event_id_parse(input));

CREATE OR REPLACE FUNCTION event_id_typed_text AS (prefix, id) ->
    concat(sortid__prefix(prefix, id), event_id_text(id));

CREATE OR REPLACE FUNCTION event_id_typed_parse AS (prefix, input) ->
    event_id_parse(sortid__after_prefix(prefix, input));

CREATE OR REPLACE FUNCTION event_id_typed_try_parse AS (prefix, input) ->
    event_id_try_parse(sortid__try_after_prefix(prefix, input));

-- The first 8 bytes of a time.
CREATE OR REPLACE FUNCTION sortid__event_id_at AS (moment) ->
    sortid__bytes(sortid__micros(moment, 0, 9223372036854775807, 'Event ID: expected a time from 1970 on in'));

CREATE OR REPLACE FUNCTION event_id_min_at AS (moment) ->
    toFixedString(concat(sortid__event_id_at(moment), repeat('\0', 8)), 16);

CREATE OR REPLACE FUNCTION event_id_max_at AS (moment) ->
    toFixedString(concat(sortid__event_id_at(moment), repeat('\xFF', 8)), 16);

-- For a column that has both. A UUID of version 7 begins with 48 bits of milliseconds, an Event ID with 64 of
-- microseconds. So those UUIDs of 2000 and later are greater than the Event IDs of before 3936. The literal is the
-- first half of the least such UUID.
CREATE OR REPLACE FUNCTION event_id_is_uuid7 AS (id) ->
    sortid__has_version_7(id, 'Event ID') AND byteSwap(reinterpretAsUInt64(id)) >= 62041935052800000;

CREATE OR REPLACE FUNCTION event_id_or_uuid7_time AS (id) ->
    sortid__event_id_time(if(event_id_is_uuid7(id), bitShiftRight(event_id_timestamp_us(id), 16) * 1000,
        event_id_timestamp_us(id)));

-- Two ranges, each of which can use the primary key.
CREATE OR REPLACE FUNCTION event_id_or_uuid7_within AS (id, since, before) ->
    (id >= event_id_min_at(since) AND id < event_id_min_at(before) AND NOT event_id_is_uuid7(id))
    OR (id >= sortid__uuid7_min_at(since) AND id < sortid__uuid7_min_at(before) AND event_id_is_uuid7(id));
