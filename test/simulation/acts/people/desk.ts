import { isUnknown, locationIn } from '../answers.js';
import type { Answer } from '../calls.js';
import { memoryOf } from '../memory.js';
import { moneyMemoryOf, type KnownDesk } from '../money-memory.js';
import type { Merchant, World } from '../world.js';
import { Browser, type Form } from './browser.js';
import { nextCode } from './codes.js';

/** A session that is not used for an hour ends, and each after twelve. */
const IDLE_MS = 55 * 60_000;
const LIFETIME_MS = 11.5 * 3_600_000;
/** An owner signs in at most once in so long: a password costs much to check. */
const SIGNS_IN_EVERY_MS = 20 * 3_600_000;
/** Whoever was refused tries again after so long. */
const TRIES_AGAIN_MS = 3_600_000;
/** Some acts take a code that was shown within ten minutes. */
const FRESH_MS = 9 * 60_000;

/** The owner of a merchant, signed in at the dashboard. */
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

  /** Signs the owner in where no session is left. @returns undefined where the owner was there too lately, or was refused */
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

  /** Posts a form that takes no code. */
  post(path: string, form: Form = {}): Promise<Answer> {
    this.known.seenAt = this.world.now();
    return this.browser.post(path, form);
  }

  /** Posts a form, again where it was not answered. Forms that only set something are safe to repeat. */
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

  /** Adds a code where the last one was shown too long ago. */
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
