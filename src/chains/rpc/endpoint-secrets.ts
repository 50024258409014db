const STRUCK = '(secret)';
/** Shorter ones are versions and names of chains, which occur in honest sentences. */
const MIN_LENGTH_IN_PATH = 8;
const MIN_LENGTH_ELSEWHERE = 4;

/** The parts of an endpoint's URL that may be an access key, and that are to be read nowhere else. */
export class EndpointSecrets {
  private readonly pattern: RegExp | null;

  constructor(url: string) {
    const { username, password, pathname, searchParams, search } = new URL(url);
    const credentials = [username, password].map(plain);
    const written = [
      ...longer(MIN_LENGTH_IN_PATH, withPlain(pathname.split('/'))),
      ...longer(MIN_LENGTH_ELSEWHERE, [
        ...[username, password, ...credentials],
        ...(username + password === '' ? [] : [base64(credentials.join(':'))]),
        ...[...searchParams.values(), ...withPlain(search.slice(1).split('&').map(valueOf))],
      ]),
    ];
    // The longest first: one may begin with another.
    const secrets = [...new Set(written)].sort((a, b) => b.length - a.length).map(literally);
    this.pattern = secrets.length === 0 ? null : new RegExp(secrets.join('|'), 'gi');
  }

  /** Takes them out of every error of a JSON-RPC answer, in place; its results are left as they are. */
  strike(answer: unknown): void {
    if (this.pattern === null) return;
    for (const each of Array.isArray(answer) ? answer : [answer]) {
      const error = (each as { error?: { message?: unknown } | null } | null)?.error;
      if (typeof error?.message === 'string') error.message = error.message.replace(this.pattern, STRUCK);
    }
  }
}

function longer(shortest: number, parts: readonly string[]): string[] {
  return parts.filter(({ length }) => length >= shortest);
}

/** Both spellings: the one that is sent, and the one that is meant. */
function withPlain(parts: readonly string[]): string[] {
  return parts.flatMap((part) => [part, plain(part)]);
}

function valueOf(pair: string): string {
  return pair.slice(pair.indexOf('=') + 1);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
