import { locationIn, textIn } from '../answers.js';
import type { Answer } from '../calls.js';
import type { World } from '../world.js';

export type Form = Readonly<Record<string, string>>;

/** Where cookies are kept between visits, as they are sent. */
export interface CookieJar {
  cookies?: string | undefined;
}

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** A person without a browser: it keeps cookies and posts forms as the dashboard's own pages do. */
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

  /** @returns the page that an accepted form led to; empty where it was refused */
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
