<?php

/**
 * Receives webhooks and verifies them, with nothing but PHP (8.0 or newer). To be copied: the functions into a program
 * of yours, or the whole as a first receiver:
 *
 *     WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:4100 verify_webhook.php
 *
 * What arrives and when: docs/reference/webhooks.md.
 */

declare(strict_types=1);

/** Older deliveries are refused, so that a recorded one cannot be played back for ever. */
const MAX_AGE_SECONDS = 300;
const MAX_BODY_BYTES = 65_536;

/**
 * What a receiver does before it acts on a delivery. Timestamps in the future are accepted.
 *
 * @param string $body as received; parsed and spelled anew, so its spacing and order of keys do not matter
 * @param string $signature header X-Request-Signature
 * @param string $timestamp header X-Request-Timestamp, unix seconds
 * @param string $secret as answered when the webhook was created, with its prefix
 * @param int $now unix seconds
 * @return bool false for anything that was not signed with the secret, or too long ago; never throws
 */
function verify_webhook_signature(string $body, string $signature, string $timestamp, string $secret, int $now): bool
{
    if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
        return false;
    }
    try {
        // To objects: as arrays, an empty object and an empty list would be the same.
        $canonical = canonical_json(json_decode($body, false, 512, JSON_THROW_ON_ERROR));
    } catch (JsonException) {
        return false;
    }
    $expected = hash_hmac('sha256', "$timestamp.$canonical", $secret);
    // Compares the lengths first, then in constant time.
    return hash_equals($expected, $signature) && $now - (int) $timestamp <= MAX_AGE_SECONDS;
}

/** The one spelling that is signed: no spaces, keys sorted at every level, the rest as JSON.stringify writes it. */
function canonical_json(mixed $value): string
{
    if (is_array($value)) {
        return '[' . implode(',', array_map('canonical_json', $value)) . ']';
    }
    if (is_object($value)) {
        // PHP makes integers of keys like "10"; as text they sort like all others.
        $keys = array_map('strval', array_keys(get_object_vars($value)));
        usort($keys, fn (string $a, string $b): int => strcmp(utf16_order($a), utf16_order($b)));
        $field = fn (string $key): string => json_text($key) . ':' . canonical_json($value->{$key});
        return '{' . implode(',', array_map($field, $keys)) . '}';
    }
    return is_int($value) || is_float($value) ? json_number((float) $value) : json_text($value);
}

/**
 * Bytes that compare as JavaScript compares strings, by UTF-16 code unit: an emoji comes before U+FFFD, though its code
 * point is higher. In UTF-8 that is U+E000 to U+FFFF (first byte EE or EF) after everything of four bytes (F0 to F4).
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

/** ECMAScript, Number::toString: the shortest digits, with an exponent from 1e21 up and from 1e-7 down. */
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

/** The receiver, under `php -S`: takes POST requests at any path. */
function receive(): void
{
    // One secret, or two while a secret is being rotated.
    $secrets = preg_split('/\s+/', (string) getenv('WEBHOOK_SECRET'), -1, PREG_SPLIT_NO_EMPTY);
    if ($secrets === []) {
        error_log('Set WEBHOOK_SECRET to the secret that was answered when the webhook was created.');
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
    // Answered within 2 seconds: store it and return; what takes longer comes afterwards. It can come twice: do
    // nothing when its payment_request_id and status are stored already.
    $data = json_decode($body, true)['data'];
    error_log('verified ' . json_encode(['id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? null] + $data));
}

if (PHP_SAPI === 'cli-server') {
    receive();
}
