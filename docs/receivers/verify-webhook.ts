/**
 * Receives webhooks and verifies them, with nothing but Node.js (20 or newer). To be copied: the functions into a
 * program of yours, or the whole as a first receiver:
 *
 *     WEBHOOK_SECRET=whsec_… PORT=4100 node verify-webhook.ts
 *
 * (Node.js before 22.18 needs the types removed first, or a loader that does.) What arrives and when: docs/reference/webhooks.md.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';

/** Older deliveries are refused, so that a recorded one cannot be played back for ever. */
const MAX_AGE_SECONDS = 300;
const MAX_BODY_BYTES = 65_536;

export interface ReceivedWebhook {
  /** The body as received; it is parsed and spelled anew, so its spacing and order of keys do not matter. */
  readonly body: string;
  /** Header `X-Request-Signature`. */
  readonly signature: string;
  /** Header `X-Request-Timestamp`, unix seconds. */
  readonly timestamp: string;
  /** The secret as answered when the webhook was created, with its prefix. */
  readonly secret: string;
  readonly now: Date;
}

/**
 * A receiver calls this before it acts on a delivery. Timestamps in the future are accepted.
 * @returns false for anything that was not signed with the secret, or too long ago; never throws
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
 * A parsed JSON value in the one spelling that is signed: no spaces, keys in ascending order of their UTF-16 code
 * units at every level, the rest as `JSON.stringify` writes it. By hand, because an object would put integer-like
 * keys first, whatever order they were added in.
 */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** A receiver of POST requests at any path. @param secrets one, or two while a secret is being rotated */
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
    // Answered within 2 seconds: store it and go on; what takes longer comes afterwards. It can come twice: do
    // nothing when its payment_request_id and status are stored already.
    const { data } = JSON.parse(body!) as { data: Record<string, unknown> };
    console.log('verified', JSON.stringify({ id: header('webhook-id'), ...data }));
  });
}

/** @throws Error when it is too large or breaks off */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

// Only where this file is the program, not where it is imported.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const secrets = (process.env['WEBHOOK_SECRET'] ?? '').split(/\s+/).filter(Boolean);
  if (secrets.length === 0) {
    console.error('Set WEBHOOK_SECRET to the secret that was answered when the webhook was created.');
    process.exit(1);
  }
  const port = Number(process.env['PORT'] ?? 4100);
  receiver(secrets).listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
}
