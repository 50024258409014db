import type { Receivers } from '../acts/world.js';
import type { DeliveryFact } from '../facts/fact.js';
import type { OutsideAnswer, OutsideRequest } from '../process/network-seam.js';

/** A public address: where it leads does not matter, since nothing leaves this process. */
const ORIGIN = 'https://8.8.4.4';

type Behaviour = Parameters<Receivers['behave']>[1];

export class SimulatedReceivers implements Receivers {
  private readonly behaviours = new Map<string, Behaviour>();

  constructor(
    private readonly now: () => number,
    private readonly note: (fact: DeliveryFact) => void,
  ) {}

  open(): string {
    const url = `${ORIGIN}/hooks/${this.behaviours.size + 1}`;
    this.behaviours.set(url, 200);
    return url;
  }

  behave(url: string, how: Behaviour): void {
    this.behaviours.set(url, how);
  }

  recover(): void {
    for (const url of this.behaviours.keys()) this.behaviours.set(url, 200);
  }

  /** @returns null where no answer comes. @throws where the connection breaks; undefined where the URL is no receiver's */
  take({ url, headers, body }: OutsideRequest): OutsideAnswer | null | undefined {
    if (!url.startsWith(`${ORIGIN}/`)) return undefined;
    const how = this.behaviours.get(url) ?? 404;
    const answered = typeof how === 'number' ? how : null;
    this.note({ kind: 'delivery', at: this.now(), url, headers, body, answered });
    if (how === 'breaks') throw Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    return how === 'silent' ? null : { status: how, headers: {}, text: '' };
  }
}
