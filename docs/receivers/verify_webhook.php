<?php

/**
 * Receives webhooks and verifies their signatures. Requires PHP 8.0 or newer and no packages. Copy the functions into your
 * program, or start with the complete receiver:
 *
 *     WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:4100 verify_webhook.php
 *
 * The webhooks are described in docs/reference/webhooks.md.
 */

declare(strict_types=1);

/** Maximum age of a delivery. Prevents replays of recorded deliveries. */
const MAX_AGE_SECONDS = 300;
const MAX_BODY_BYTES = 65_536;

/**
 * Verifies the signature and age of a delivery. Call it before you process the delivery. Timestamps in the future are
 * accepted.
 *
 * @param string $body request body; parsed and re-serialized, so its spacing and key order are irrelevant
 * @param string $signature header X-Request-Signature
 * @param string $timestamp header X-Request-Timestamp, a Unix timestamp in seconds
 * @param string $secret webhook secret, as returned when the webhook was created, including its prefix whsec_
 * @param int $now current Unix timestamp in seconds
 * @return bool true if the delivery was signed with the secret at most 300 seconds ago; never throws
 */
function verify_webhook_signature(string $body, string $signature, string $timestamp, string $secret, int $now): bool
{
    if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
        return false;
    }
    try {
        // Decodes to objects, because as PHP arrays, an empty object and an empty list would be equal.
        $canonical = canonical_json(json_decode($body, false, 512, JSON_THROW_ON_ERROR));
    } catch (JsonException) {
        return false;
    }
    $expected = hash_hmac('sha256', "$timestamp.$canonical", $secret);
    // hash_equals compares in constant time.
    return hash_equals($expected, $signature) && $now - (int) $timestamp <= MAX_AGE_SECONDS;
}

/** Serializes a value to the canonical JSON that is signed: no spaces, sorted keys, otherwise like JSON.stringify. */
function canonical_json(mixed $value): string
{
    if (is_array($value)) {
        return '[' . implode(',', array_map('canonical_json', $value)) . ']';
    }
    if (is_object($value)) {
        // PHP converts keys such as "10" to integers. As strings, they sort like all other keys.
        $keys = array_map('strval', array_keys(get_object_vars($value)));
        usort($keys, fn (string $a, string $b): int => strcmp(utf16_order($a), utf16_order($b)));
        $field = fn (string $key): string => json_text($key) . ':' . canonical_json($value->{$key});
        return '{' . implode(',', array_map($field, $keys)) . '}';
    }
    return is_int($value) || is_float($value) ? json_number((float) $value) : json_text($value);
}

/**
 * Maps a key to bytes that sort by UTF-16 code units, as in JavaScript: an emoji sorts before U+FFFD, although its code
 * point is higher. In UTF-8, U+E000 to U+FFFF (first byte EE or EF) must sort after four-byte sequences (F0 to F4).
 */
function utf16_order(string $key): string
{
    return strtr($key, "\xEE\xEF", "\xF8\xF9");
}

function json_text(string|bool|null $value): string
{
    $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS;
    return json_encode($value, $flags | JSON_THROW_ON_ERROR);
}

/** Formats a number like Number::toString in ECMAScript: shortest digits, exponent from 1e21 and from 1e-7. */
function json_number(float $number): string
{
    if ($number == 0) {
        return '0';
    }
    if (is_infinite($number)) {
        return 'null';
    }
    for ($places = 0; $places < 17; $places += 1) {
        $text = str_replace(',', '.', sprintf("%.{$places}e", abs($number)));
        if ((float) $text === abs($number)) {
            break;
        }
    }
    [$mantissa, $exponent] = explode('e', $text);
    $digits = str_replace('.', '', $mantissa);
    $point = (int) $exponent + 1;
    $count = strlen($digits);
    $text = match (true) {
        $count <= $point && $point <= 21 => str_pad($digits, $point, '0'),
        0 < $point && $point <= 21 => substr($digits, 0, $point) . '.' . substr($digits, $point),
        -6 < $point && $point <= 0 => '0.' . str_repeat('0', -$point) . $digits,
        default => $mantissa . sprintf('e%+d', $point - 1),
    };
    return ($number < 0 ? '-' : '') . $text;
}

/** Handles POST requests at any path under `php -S`. */
function receive(): void
{
    // The secret, or both secrets during a rotation.
    $secrets = preg_split('/\s+/', (string) getenv('WEBHOOK_SECRET'), -1, PREG_SPLIT_NO_EMPTY);
    if ($secrets === []) {
        error_log('Set WEBHOOK_SECRET to the secret that was returned when the webhook was created.');
    }
    $body = (string) file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1);
    $verified = false;
    foreach (strlen($body) > MAX_BODY_BYTES ? [] : $secrets as $secret) {
        $signature = $_SERVER['HTTP_X_REQUEST_SIGNATURE'] ?? '';
        $timestamp = $_SERVER['HTTP_X_REQUEST_TIMESTAMP'] ?? '';
        $verified = $verified || verify_webhook_signature($body, $signature, $timestamp, $secret, time());
    }
    http_response_code($verified ? 200 : 401);
    if (!$verified) {
        error_log('refused');
        return;
    }
    // Store the delivery and respond within 2 seconds. Do slow work afterwards. Deliveries can be repeated: ignore a
    // delivery whose payment_request_id and status are already stored.
    $data = json_decode($body, true)['data'];
    error_log('verified ' . json_encode(['id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? null] + $data));
}

if (PHP_SAPI === 'cli-server') {
    receive();
}
