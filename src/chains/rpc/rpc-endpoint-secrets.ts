const SECRET_PLACEHOLDER = '(secret)';
/** Shorter path segments are versions and chain names, which occur in ordinary sentences. */
const MIN_LENGTH_IN_PATH = 8;
const MIN_LENGTH_ELSEWHERE = 4;

/** The parts of an endpoint's URL that may be an access key and must not appear anywhere else. */
export class RpcEndpointSecrets {
  private readonly pattern: RegExp | null;

  constructor(url: string) {
    const { username, password, pathname, searchParams, search } = new URL(url);
    const credentials = [username, password].map(decodeUrlPart);
    const written = [
      ...longer(MIN_LENGTH_IN_PATH, withDecodedSpelling(pathname.split('/'))),
      ...longer(MIN_LENGTH_ELSEWHERE, [
        ...[username, password, ...credentials],
        ...(username + password === '' ? [] : [base64(credentials.join(':'))]),
        ...[...searchParams.values(), ...withDecodedSpelling(search.slice(1).split('&').map(valueOf))],
      ]),
    ];
    // Longest first, because a secret may begin with another secret.
    const secrets = [...new Set(written)].sort((a, b) => b.length - a.length).map(escapeForRegExp);
    this.pattern = secrets.length === 0 ? null : new RegExp(secrets.join('|'), 'gi');
  }

  /** Removes the secrets from every error of an answer, in place: of JSON-RPC, or the text `Error` of TRON's HTTP API. */
  redact(answer: unknown): void {
    if (this.pattern === null) return;
    for (const each of Array.isArray(answer) ? answer : [answer]) {
      const error = (each as { error?: { message?: unknown } | null } | null)?.error;
      if (typeof error?.message === 'string')
        error.message = error.message.replace(this.pattern, SECRET_PLACEHOLDER);
      const plain = each as { Error?: unknown } | null;
      if (typeof plain?.Error === 'string')
        plain.Error = plain.Error.replace(this.pattern, SECRET_PLACEHOLDER);
    }
  }
}

function longer(shortest: number, parts: readonly string[]): string[] {
  return parts.filter(({ length }) => length >= shortest);
}

function withDecodedSpelling(parts: readonly string[]): string[] {
  return parts.flatMap((part) => [part, decodeUrlPart(part)]);
}

function valueOf(pair: string): string {
  return pair.slice(pair.indexOf('=') + 1);
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function decodeUrlPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
