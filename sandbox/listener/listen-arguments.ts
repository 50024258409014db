import { CannotStart } from '../processes/child-process.js';
import { readArguments, wholeNumber } from '../terminal/run-program.js';

export interface ListenArguments {
  /** A loopback address. */
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Path and query that accept deliveries. Absent: any path. */
  path?: string;
  /** Secrets to verify with, instead of the sandbox's. More than one during a rotation. */
  secrets: string[];
  /** Status of every response, whether the delivery verifies or not. */
  answer?: number;
}

export const LISTEN_USAGE = `Shows webhooks as they arrive, and verifies them:

  npm run listen -- [port or URL] [--secret S]... [--answer N]

  port, URL    where to listen, like 4100 or http://127.0.0.1:4100/hooks/payments; without it, on a free port
  --secret S   verify with this secret and register nothing; again for each other one during a rotation
  --answer N   answer every delivery with HTTP status N (200 to 599), to watch what is sent again`;

const OPTIONS = {
  secret: { type: 'string', multiple: true },
  answer: { type: 'string' },
} as const;
const HOST = '127.0.0.1';
/** Older secrets have 43 characters of base64url. */
const SECRET = /^whsec_(?:[A-Za-z0-9]{44}|[A-Za-z0-9_-]{43})$/;

/** @throws CannotStart with the argument and its rule, never with a secret */
export function readListenArguments(args: string[]): ListenArguments {
  const { positionals, values } = readArguments(args, OPTIONS, LISTEN_USAGE);
  const [where, ...more] = positionals;
  if (more.length > 0) throw new CannotStart(`Give one port or URL, not ${positionals.length}.`);
  const secrets = values.secret ?? [];
  if (!secrets.every((secret) => SECRET.test(secret))) {
    throw new CannotStart(
      '--secret must be whsec_ and 44 letters and digits, as the webhook’s creation answered it.',
    );
  }
  return {
    ...readPlace(where),
    secrets,
    ...(values.answer !== undefined && {
      answer: wholeNumber('--answer', values.answer, { min: 200, max: 599 }),
    }),
  };
}

function readPlace(where: string | undefined): Pick<ListenArguments, 'host' | 'port' | 'path'> {
  if (where === undefined) return { host: HOST, port: 0 };
  if (!where.includes(':') && !where.includes('/')) {
    return { host: HOST, port: wholeNumber('The port', where, { min: 1, max: 65_535 }) };
  }
  const url = URL.canParse(where) ? new URL(where) : undefined;
  const isLoopback = /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(url?.hostname ?? '');
  const hasMore = url?.username || url?.password || url?.hash;
  if (url?.protocol !== 'http:' || !isLoopback || hasMore || url.port === '0') {
    throw new CannotStart(
      'The URL must be http:// to a loopback address (127.0.0.1, [::1] or localhost), without user, password or ' +
        `fragment, like http://127.0.0.1:4100/hooks, not ${where}.`,
    );
  }
  return {
    // `localhost` may resolve to two addresses, and the server listens on only one.
    host: url.hostname === 'localhost' ? HOST : url.hostname.replace(/[[\]]/g, ''),
    port: Number(url.port || 80),
    path: url.pathname + url.search,
  };
}
