import { Secret, TOTP } from 'otpauth';

const PERIOD_MS = 30_000;
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** A person without a browser: keeps cookies, and posts forms as the dashboard's own pages do. */
export class DashboardPerson {
  private readonly cookies = new Map<string, string>();
  private secret = '';
  /** The time step of the last code that was made: each code works once. */
  private lastStep = 0;

  constructor(private readonly url: string) {}

  async get(path: string): Promise<Response> {
    return this.keep(await fetch(this.url + path, { headers: this.headers(), redirect: 'manual' }));
  }

  async text(path: string): Promise<string> {
    return (await this.get(path)).text();
  }

  post(
    path: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = OWN_PAGE,
  ): Promise<Response> {
    return this.send(path, new URLSearchParams(form), headers);
  }

  upload(path: string, form: FormData): Promise<Response> {
    return this.send(path, form, OWN_PAGE);
  }

  async shown(answer: Promise<Response>): Promise<string> {
    return this.text((await answer).headers.get('location')!);
  }

  /** Joins by the link of an invitation, with an authenticator app. @returns recovery codes */
  async join(link: string, password: string): Promise<string[]> {
    await this.post(new URL(link).pathname, { name: 'Anna Test', password });
    return this.enrol();
  }

  /** An authenticator app, on the way in or in place of an earlier one. @returns recovery codes */
  async enrol(): Promise<string[]> {
    await this.readSecret();
    const page = await this.shown(this.confirmSecret());
    return [...page.matchAll(/<code[^>]*>([0-9A-Z-]{29})<\/code>/g)].map(([, code]) => code!);
  }

  async readSecret(): Promise<string> {
    this.secret = /id="secret"[^>]*>([A-Z2-7]+)</.exec(await this.text('/app/second-factor/enrol'))![1]!;
    this.lastStep = 0;
    return this.secret;
  }

  confirmSecret(): Promise<Response> {
    // Typed with a space, as authenticator apps show it.
    return this.post('/app/second-factor/authenticator', {
      new_code: this.nextCode().replace(/^.{3}/, '$& '),
    });
  }

  async signIn(email: string, password: string): Promise<Response> {
    await this.post('/app/sign-in', { email, password });
    return this.post('/app/second-factor', { code: this.nextCode() });
  }

  /**
   * A code that was not used before. The server takes it for at least 30 seconds: it takes the codes of the present step
   * and of the steps before and after it. A code of the step before would end with the present step, perhaps on its way.
   * @throws Error for a third one within 30 seconds
   */
  nextCode(): string {
    const now = Math.floor(Date.now() / PERIOD_MS);
    const step = Math.max(now, this.lastStep + 1);
    if (step > now + 1) throw new Error('All codes of this half minute are used. Use a recovery code.');
    this.lastStep = step;
    return new TOTP({ secret: Secret.fromBase32(this.secret) }).generate({ timestamp: step * PERIOD_MS });
  }

  get authenticatorSecret(): string {
    return this.secret;
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  set(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  private async send(
    path: string,
    body: URLSearchParams | FormData,
    headers: Record<string, string>,
  ): Promise<Response> {
    const init = { method: 'POST', headers: { ...this.headers(), ...headers }, body };
    return this.keep(await fetch(this.url + path, { ...init, redirect: 'manual' }));
  }

  private headers(): Record<string, string> {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  private keep(answer: Response): Response {
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return answer;
  }
}
