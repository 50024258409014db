import { Secret, TOTP } from 'otpauth';
import { locationIn, textIn, type Answer, isUnknown } from '../calls.js';
import type { World, Merchant } from '../world.js';
import { memoryOf, moneyMemoryOf, type KnownDesk } from '../memory.js';

const PERIOD_MS = 30_000;

export interface Authenticator {
  readonly secret: string;
  lastStep: number;
}

/** @returns a code that was not shown before; undefined while all that are accepted at this time were */
export function nextCode(app: Authenticator, now: number): string | undefined {
  const present = Math.floor(now / PERIOD_MS);
  const step = Math.max(present, app.lastStep + 1);
  if (step > present + 1) return undefined;
  app.lastStep = step;
  return new TOTP({ secret: Secret.fromBase32(app.secret) }).generate({ timestamp: step * PERIOD_MS });
}

export type Form = Readonly<Record<string, string>>;

export interface CookieJar {
  cookies?: string | undefined;
}

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

export class Browser {
  constructor(
    private readonly world: World,
    private readonly jar: CookieJar,
  ) {}

  get(path: string, query: Form = {}): Promise<Answer> {
    return this.send('GET', path, { query });
  }

  post(path: string, form: Form = {}): Promise<Answer> {
    return this.send('POST', path, { form });
  }

  async shown(answer: Answer): Promise<string> {
    const [path, query = ''] = (locationIn(answer) ?? '').split('?');
    if (!path) return '';
    return textIn(await this.get(path, Object.fromEntries(new URLSearchParams(query))));
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    rest: { readonly form?: Form; readonly query?: Form },
  ): Promise<Answer> {
    const { cookies: cookie } = this.jar;
    const headers = { ...(method === 'POST' && OWN_PAGE), ...(cookie !== undefined && { cookie }) };
    const answer = await this.world.call({ method, path, headers, ...rest });
    if (answer !== 'lost') this.keep(answer.headers['set-cookie'] ?? '');
    // Whoever must sign in again is sent there, and starts anew.
    if (locationIn(answer)?.startsWith('/app/sign-in')) this.jar.cookies = undefined;
    return answer;
  }

  private keep(set: string): void {
    const pairs = (this.jar.cookies ?? '').split('; ').filter((one) => one !== '');
    const cookies = new Map(pairs.map((one) => [one.split('=', 1)[0]!, one]));
    for (const [pair, name, value] of set.matchAll(/(__Host-[a-z_]+)=([^;,\s]*)/g))
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, pair);
    this.jar.cookies = cookies.size === 0 ? undefined : [...cookies.values()].join('; ');
  }
}

/** A session that is not used for an hour ends, and each after twelve. */
const IDLE_MS = 55 * 60_000;
const LIFETIME_MS = 11.5 * 3_600_000;
/** An owner signs in at most once in so long: a password costs much to check. */
const SIGNS_IN_EVERY_MS = 20 * 3_600_000;
/** Whoever was refused tries again after so long. */
const TRIES_AGAIN_MS = 3_600_000;
/** Some acts take a code that was shown within ten minutes. */
const FRESH_MS = 9 * 60_000;

export class Desk {
  private readonly browser: Browser;
  private readonly known: KnownDesk;

  private constructor(
    private readonly world: World,
    private readonly merchant: Merchant,
  ) {
    this.known = moneyMemoryOf(merchant).desk;
    const memory = memoryOf(merchant);
    this.browser = new Browser(world, {
      get cookies() {
        return memory.ownerCookies;
      },
      set cookies(cookies) {
        if (cookies === undefined) delete memory.ownerCookies;
        else memory.ownerCookies = cookies;
      },
    });
  }

  static async open(world: World, merchant: Merchant): Promise<Desk | undefined> {
    const desk = new Desk(world, merchant);
    const { satDownAt, seenAt } = desk.known;
    const now = world.now();
    const isSeated = memoryOf(merchant).ownerCookies !== undefined;
    if (isSeated && now - seenAt < IDLE_MS && now - satDownAt < LIFETIME_MS) return desk;
    if (now - satDownAt < SIGNS_IN_EVERY_MS) return undefined;
    return (await desk.signIn()) ? desk : undefined;
  }

  get(path: string, query: Form = {}): Promise<Answer> {
    this.known.seenAt = this.world.now();
    return this.browser.get(path, query);
  }

  shown(answer: Answer): Promise<string> {
    return this.browser.shown(answer);
  }

  post(path: string, form: Form = {}): Promise<Answer> {
    this.known.seenAt = this.world.now();
    return this.browser.post(path, form);
  }

  async set(path: string, form: Form = {}): Promise<Answer> {
    this.known.seenAt = this.world.now();
    const proven = this.withProof(form);
    let answer = await this.browser.post(path, proven);
    for (let again = 0; again < 3 && isUnknown(answer); again += 1)
      answer = await this.browser.post(path, proven);
    return answer;
  }

  /** Posts a form once, which takes a code each time. @returns undefined while all codes are used */
  async prove(path: string, form: Form): Promise<Answer | undefined> {
    const code = this.nextCode();
    if (code === undefined) return undefined;
    this.known.seenAt = this.world.now();
    const answer = await this.browser.post(path, { ...form, code });
    if (locationIn(answer) !== undefined) this.known.provenAt = this.world.now();
    return answer;
  }

  private withProof(form: Form): Form {
    if (this.world.now() - this.known.provenAt < FRESH_MS) return form;
    const code = this.nextCode();
    if (code === undefined) return form;
    this.known.provenAt = this.world.now();
    return { ...form, code };
  }

  private nextCode(): string | undefined {
    const { known, merchant, world } = this;
    const app = { secret: merchant.owner.authenticatorSecret, lastStep: known.lastStep };
    const code = nextCode(app, world.now());
    known.lastStep = app.lastStep;
    return code;
  }

  private async signIn(): Promise<boolean> {
    const { email, password } = this.merchant.owner;
    this.known.satDownAt = this.known.seenAt = this.world.now();
    delete memoryOf(this.merchant).ownerCookies;
    const code = this.nextCode();
    const isKnown = locationIn(await this.browser.post('/app/sign-in', { email, password })) !== undefined;
    const answer = isKnown && code !== undefined && (await this.browser.post('/app/second-factor', { code }));
    if (answer !== false && locationIn(answer) !== undefined) {
      this.known.provenAt = this.world.now();
      return true;
    }
    delete memoryOf(this.merchant).ownerCookies;
    this.known.satDownAt = this.world.now() - SIGNS_IN_EVERY_MS + TRIES_AGAIN_MS;
    return false;
  }
}
