-- The time, the text and the fields of IDs as expressions, for MariaDB (10.11 and later) and MySQL (8.0 and later).
--
-- Each section is a query of one sample ID. For a view of your IDs, replace the SELECT in its first line by one that
-- reads your column, and put CREATE VIEW before it. A query of the view by id uses the index of the column.
--
-- The expressions take a small part of the time of the stored functions. They report no faults: an ID of a wrong length
-- or with forbidden bits has NULL in all its columns, and an ID of a time after the year 9999 has no time. They can
-- also define generated columns.
--
-- The columns have the same types as for the functions: BINARY(20) for SCRU160, BIGINT for Ulid-Flake, BINARY(16) for
-- the others. Times are UTC, texts are utf8mb4_bin.

-- ==== scru160 ====
-- X'E677D21FDC00' are the milliseconds of the year 10000, which DATETIME cannot hold. Five bytes are eight digits.

WITH ids (id) AS (SELECT UNHEX('017bdf6431bb33750751eb63beb3c3f8c5969d86'))
SELECT
    id,
    IF(LENGTH(id) = 20 AND id < X'E677D21FDC00',
        TIMESTAMP'1970-01-01 00:00:00' + INTERVAL CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED) * 0.001 SECOND,
        NULL) AS scru160_time,
    IF(LENGTH(id) = 20,
        CONVERT(CONCAT(
            LPAD(CONV(HEX(SUBSTR(id, 1, 5)), 16, 32), 8, '0'), LPAD(CONV(HEX(SUBSTR(id, 6, 5)), 16, 32), 8, '0'),
            LPAD(CONV(HEX(SUBSTR(id, 11, 5)), 16, 32), 8, '0'), LPAD(CONV(HEX(SUBSTR(id, 16, 5)), 16, 32), 8, '0'))
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS scru160_text,
    IF(LENGTH(id) = 20, CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED), NULL) AS scru160_timestamp_ms,
    IF(LENGTH(id) = 20, CAST(CONV(HEX(SUBSTR(id, 7, 2)), 16, 10) AS UNSIGNED), NULL) AS scru160_counter,
    IF(LENGTH(id) = 20, CAST(CONV(HEX(SUBSTR(id, 9, 2)), 16, 10) AS UNSIGNED), NULL) AS scru160_random16,
    IF(LENGTH(id) = 20, SUBSTR(id, 11, 10), NULL) AS scru160_random80
FROM ids;

-- ==== euid ====
-- 15 hex digits are 60 bits, which 12 digits of the text hold. Its last 3 digits hold the last byte and the check. The
-- digits of base 32 become those of Crockford, the greatest first, so that no digit is replaced twice.
-- The check is the ID modulo 127. 2^56 is 1 modulo 127, so the sum of groups of 7 bytes has the same remainder.

WITH ids (id) AS (SELECT UNHEX('0d1020177647d260016d60f7c924737e'))
SELECT
    id,
    IF(LENGTH(id) = 16,
        TIMESTAMP'1970-01-01 00:00:00'
            + INTERVAL (CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED) >> 3) * 0.001 SECOND,
        NULL) AS euid_time,
    IF(LENGTH(id) = 16,
        CONVERT(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(CAST(
            CONCAT(
                LPAD(CONV(SUBSTR(HEX(id), 1, 15), 16, 32), 12, '0'),
                LPAD(CONV(SUBSTR(HEX(id), 16, 15), 16, 32), 12, '0'),
                LPAD(CONV(
                    ORD(SUBSTR(id, 16)) << 7
                        | (CAST(CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) AS UNSIGNED)
                            + CAST(CONV(HEX(SUBSTR(id, 3, 7)), 16, 10) AS UNSIGNED)
                            + CAST(CONV(HEX(SUBSTR(id, 10, 7)), 16, 10) AS UNSIGNED)) % 127,
                    10, 32), 3, '0'))
            AS BINARY), 'V', 'Z'), 'U', 'Y'), 'T', 'X'), 'S', 'W'), 'R', 'V'), 'Q', 'T'), 'P', 'S'),
            'O', 'R'), 'N', 'Q'), 'M', 'P'), 'L', 'N'), 'K', 'M'), 'J', 'K'), 'I', 'J')
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS euid_text,
    IF(LENGTH(id) = 16, CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED) >> 3, NULL) AS euid_timestamp_ms,
    IF(LENGTH(id) = 16,
        (CAST(CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) AS UNSIGNED) >> 4 & 32767) >> (ORD(SUBSTR(id, 8)) & 15),
        NULL) AS euid_random_upper,
    IF(LENGTH(id) = 16 AND ORD(SUBSTR(id, 8)) & 15 > 0,
        (CAST(CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) AS UNSIGNED) >> 4) % (1 << (ORD(SUBSTR(id, 8)) & 15)),
        NULL) AS euid_extension,
    IF(LENGTH(id) = 16, ORD(SUBSTR(id, 8)) & 15, NULL) AS euid_extension_bits,
    IF(LENGTH(id) = 16, CAST(CONV(HEX(SUBSTR(id, 9, 4)), 16, 10) AS UNSIGNED), NULL) AS euid_random_high,
    IF(LENGTH(id) = 16, CAST(CONV(HEX(SUBSTR(id, 13, 4)), 16, 10) AS UNSIGNED), NULL) AS euid_random_low,
    IF(LENGTH(id) = 16,
        (CAST(CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) AS UNSIGNED)
            + CAST(CONV(HEX(SUBSTR(id, 3, 7)), 16, 10) AS UNSIGNED)
            + CAST(CONV(HEX(SUBSTR(id, 10, 7)), 16, 10) AS UNSIGNED)) % 127,
        NULL) AS euid_check
FROM ids;

-- ==== ulid_flake ====
-- The digits of base 32 become those of Crockford, the greatest first, so that no digit is replaced twice.

WITH ids (id) AS (SELECT 14246757444195114)
SELECT
    id,
    IF(id BETWEEN 0 AND 9223372036854775807,
        TIMESTAMP'2024-01-01 00:00:00' + INTERVAL (id >> 20) * 0.001 SECOND,
        NULL) AS ulid_flake_time,
    IF(id BETWEEN 0 AND 9223372036854775807,
        CONVERT(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(CAST(
            LPAD(CONV(id, 10, 32), 13, '0')
            AS BINARY), 'V', 'Z'), 'U', 'Y'), 'T', 'X'), 'S', 'W'), 'R', 'V'), 'Q', 'T'), 'P', 'S'),
            'O', 'R'), 'N', 'Q'), 'M', 'P'), 'L', 'N'), 'K', 'M'), 'J', 'K'), 'I', 'J')
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ulid_flake_text,
    IF(id BETWEEN 0 AND 9223372036854775807, id >> 20, NULL) AS ulid_flake_timestamp_ms,
    IF(id BETWEEN 0 AND 9223372036854775807, id % (1 << 20), NULL) AS ulid_flake_randomness,
    IF(id BETWEEN 0 AND 9223372036854775807, (id >> 5) % (1 << 15), NULL) AS ulid_flake_scalable_randomness,
    IF(id BETWEEN 0 AND 9223372036854775807, id & 31, NULL) AS ulid_flake_scalability
FROM ids;

-- ==== ron_uid ====
-- The value and the origin are ten digits of 6 bits: two in the first two bytes, after 4 other bits, and four in each
-- of the next two groups of three bytes. The zeros at the end are left out.
-- The digits of a time are two for the month, one each for the day, hour, minute and second, two for the milliseconds
-- and two for a sequence number. X'0FC0' is above the last month. Names and hashes (scheme 0 and 1) have no time.
-- The text has no sign (its length is 0) after a name with the origin 0, and after the events 0, ~ and ~~~~~~~~~~ with
-- the origin 0.

WITH ids (id) AS (SELECT UNHEX('004c694ca9341000287f000000000000'))
SELECT
    id,
    IF(LENGTH(id) = 16 AND id < X'0FC0' AND ORD(SUBSTR(id, 9)) BETWEEN 32 AND 63
            AND ORD(SUBSTR(id, 3)) >> 2
                < DAY(LAST_DAY(TIMESTAMP'2010-01-01 00:00:00' + INTERVAL CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) MONTH))
            AND CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 12 & 63 < 24
            AND CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 6 & 63 < 60
            AND CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) & 63 < 60
            AND CONV(HEX(SUBSTR(id, 6, 2)), 16, 10) >> 4 < 1000,
        TIMESTAMP'2010-01-01 00:00:00' + INTERVAL CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) MONTH
            + INTERVAL ((ORD(SUBSTR(id, 3)) >> 2) * 86400000
                + (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 12 & 63) * 3600000
                + (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 6 & 63) * 60000
                + (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) & 63) * 1000
                + (CONV(HEX(SUBSTR(id, 6, 2)), 16, 10) >> 4)) * 0.001 SECOND,
        NULL) AS ron_uid_time,
    IF(LENGTH(id) = 16 AND ORD(id) < 16 AND ORD(SUBSTR(id, 9)) < 64,
        CONVERT(CONCAT(
            IF(SUBSTR(id, 1, 8) = X'0000000000000000'
                    AND ORD(SUBSTR(id, 9)) & 15 = 0 AND SUBSTR(id, 10) = X'00000000000000',
                '0',
                TRIM(TRAILING '0' FROM CONCAT(
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) >> 6 & 63) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) & 63) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 18) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 12 & 63) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 6 & 63) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) & 63) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) >> 18) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) >> 12 & 63) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) >> 6 & 63) + 1, 1),
                    SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                        (CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) & 63) + 1, 1)))),
            SUBSTR('$%-+', (ORD(SUBSTR(id, 9)) >> 4) + 1,
                IF(SUBSTR(id, 9)
                        = IF(SUBSTR(id, 1, 8) IN (X'0000000000000000', X'0FC0000000000000', X'0FFFFFFFFFFFFFFF'),
                            X'2000000000000000', X'0000000000000000'),
                    0, 1)),
            TRIM(TRAILING '0' FROM CONCAT(
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 9, 2)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 9, 2)), 16, 10) & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 11, 3)), 16, 10) >> 18) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 11, 3)), 16, 10) >> 12 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 11, 3)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 11, 3)), 16, 10) & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 14, 3)), 16, 10) >> 18) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 14, 3)), 16, 10) >> 12 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 14, 3)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 14, 3)), 16, 10) & 63) + 1, 1))))
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ron_uid_text,
    IF(LENGTH(id) = 16 AND ORD(id) < 16 AND ORD(SUBSTR(id, 9)) < 64,
        CONVERT(IF(SUBSTR(id, 1, 8) = X'0000000000000000',
            '0',
            TRIM(TRAILING '0' FROM CONCAT(
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 18) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 12 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 3, 3)), 16, 10) & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) >> 18) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) >> 12 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) & 63) + 1, 1))))
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ron_uid_value,
    IF(LENGTH(id) = 16 AND ORD(id) < 16 AND ORD(SUBSTR(id, 9)) < 64,
        CONVERT(IF(ORD(SUBSTR(id, 9)) & 15 = 0 AND SUBSTR(id, 10) = X'00000000000000',
            '0',
            TRIM(TRAILING '0' FROM CONCAT(
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 9, 2)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 9, 2)), 16, 10) & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 11, 3)), 16, 10) >> 18) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 11, 3)), 16, 10) >> 12 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 11, 3)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 11, 3)), 16, 10) & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 14, 3)), 16, 10) >> 18) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 14, 3)), 16, 10) >> 12 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 14, 3)), 16, 10) >> 6 & 63) + 1, 1),
                SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
                    (CONV(HEX(SUBSTR(id, 14, 3)), 16, 10) & 63) + 1, 1))))
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ron_uid_origin,
    IF(LENGTH(id) = 16 AND ORD(id) < 16 AND ORD(SUBSTR(id, 9)) < 64,
        CAST(CONV(HEX(SUBSTR(id, 1, 8)), 16, 10) AS UNSIGNED),
        NULL) AS ron_uid_value_int,
    IF(LENGTH(id) = 16 AND ORD(id) < 16 AND ORD(SUBSTR(id, 9)) < 64,
        CAST(CONV(HEX(SUBSTR(id, 9, 8)), 16, 10) AS UNSIGNED) % (1 << 60),
        NULL) AS ron_uid_origin_int,
    IF(LENGTH(id) = 16 AND ORD(id) < 16 AND ORD(SUBSTR(id, 9)) < 64,
        CONVERT(ELT((ORD(SUBSTR(id, 9)) >> 4) + 1, 'name', 'hash', 'event', 'derived')
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ron_uid_scheme
FROM ids;

-- ==== event_id ====
-- X'0384440CCC736000' are the microseconds of the year 10000, which DATETIME cannot hold.

WITH ids (id) AS (SELECT UNHEX('0005cd755a43d79238c05790c0331dd8'))
SELECT
    id,
    IF(LENGTH(id) = 16 AND id < X'0384440CCC736000',
        TIMESTAMP'1970-01-01 00:00:00' + INTERVAL CAST(CONV(HEX(SUBSTR(id, 1, 8)), 16, 10) AS UNSIGNED) MICROSECOND,
        NULL) AS event_id_time,
    IF(LENGTH(id) = 16, CONVERT(LOWER(HEX(id)) USING utf8mb4) COLLATE utf8mb4_bin, NULL) AS event_id_text,
    IF(LENGTH(id) = 16, CAST(CONV(HEX(SUBSTR(id, 1, 8)), 16, 10) AS UNSIGNED), NULL) AS event_id_timestamp_us,
    IF(LENGTH(id) = 16,
        CONVERT(LOWER(HEX(SUBSTR(id, 9, 4))) USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS event_id_checksum,
    IF(LENGTH(id) = 16,
        CONVERT(LOWER(HEX(SUBSTR(id, 13, 4))) USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS event_id_ledger_id,
    IF(LENGTH(id) = 16, ORD(SUBSTR(id, 16)) & 3, NULL) AS event_id_version
FROM ids;
