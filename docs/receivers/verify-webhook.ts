/**
 * Receives webhooks and verifies their signatures. Requires Node.js 20 or newer and no packages. Copy the functions into your program,
 * or start with the complete receiver:
 *
 *     WEBHOOK_SECRET=whsec_… PORT=4100 node verify-webhook.ts
 *
 * Node.js before 22.18 cannot run TypeScript: compile the file first, or use a loader. The webhooks are described in
 * docs/reference/webhooks.md.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';

/** Maximum age of a delivery. Prevents replays of recorded deliveries. */
const MAX_AGE_SECONDS = 300;
const MAX_BODY_BYTES = 65_536;

export interface ReceivedWebhook {
  /** Request body. It is parsed and re-serialized, so its spacing and key order are irrelevant. */
  readonly body: string;
  /** Header `X-Request-Signature`. */
  readonly signature: string;
  /** Header `X-Request-Timestamp`, a Unix timestamp in seconds. */
  readonly timestamp: string;
  /** Webhook secret, as returned when the webhook was created, including its prefix `whsec_`. */
  readonly secret: string;
  readonly now: Date;
}

/**
 * Verifies the signature and age of a delivery. Call it before you process the delivery. Timestamps in the future are accepted.
 * @returns true if the delivery was signed with the secret at most 300 seconds ago; never throws
 */
export function verifyWebhookSignature({
  body,
  signature,
  timestamp,
  secret,
  now,
}: ReceivedWebhook): boolean {
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false;
  let canonical: string;
  try {
    canonical = canonicalJson(JSON.parse(body));
  } catch {
    return false;
  }
  const expected = Buffer.from(
    createHmac('sha256', secret).update(`${timestamp}.${canonical}`).digest('hex'),
  );
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return now.getTime() / 1000 - Number(timestamp) <= MAX_AGE_SECONDS;
}

/**
 * Serializes a value to the canonical JSON that is signed: no spaces, object keys sorted by UTF-16 code units, and otherwise the output of
 * `JSON.stringify`. Does not build sorted objects, because JavaScript objects always list integer-like keys first.
 */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** Creates a server for POST requests at any path. @param secrets the secret, or both secrets during a rotation */
function receiver(secrets: readonly string[]) {
  return createServer(async (request, response) => {
    const body = await readBody(request).catch(() => undefined);
    const header = (name: string) => String(request.headers[name] ?? '');
    const verified = secrets.some((secret) =>
      verifyWebhookSignature({
        body: body ?? '',
        signature: header('x-request-signature'),
        timestamp: header('x-request-timestamp'),
        secret,
        now: new Date(),
      }),
    );
    response.writeHead(verified ? 200 : 401, { Connection: 'close' }).end();
    if (!verified) return console.log('refused');
    // Store the delivery and respond within 2 seconds. Do slow work afterwards. Deliveries can be repeated: ignore a delivery whose
    // payment_request_id and status are already stored.
    const { data } = JSON.parse(body!) as { data: Record<string, unknown> };
    console.log('verified', JSON.stringify({ id: header('webhook-id'), ...data }));
  });
}

/** @throws Error if the body is too large or truncated */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

// Starts the receiver if this file is run directly, not if it is imported.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const secrets = (process.env['WEBHOOK_SECRET'] ?? '').split(/\s+/).filter(Boolean);
  if (secrets.length === 0) {
    console.error('Set WEBHOOK_SECRET to the secret that was returned when the webhook was created.');
    process.exit(1);
  }
  const port = Number(process.env['PORT'] ?? 4100);
  receiver(secrets).listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
}
