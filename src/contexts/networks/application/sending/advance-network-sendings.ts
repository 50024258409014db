import { Injectable } from '@nestjs/common';
import type { Sending } from '../../domain/sending/sending.js';
import { type Advance, AdvanceSending } from './advance-sending.js';
import { Sendings } from './sendings.js';

export interface AdvancedSending {
  /** The sending before its steps. */
  readonly before: Sending;
  /** The sending now; null where a step failed. */
  readonly after: Sending | null;
  /** How far it went; null where a step failed. */
  readonly advance: Advance | null;
  /** Why the step failed. */
  readonly error: unknown;
}

/** Carries on all unfinished sendings of a network, in the order of their nonces. */
@Injectable()
export class AdvanceNetworkSendings {
  constructor(
    private readonly sendings: Sendings,
    private readonly advanceSending: AdvanceSending,
  ) {}

  /** One that fails holds up no other; its error is answered. */
  async advance(network: string): Promise<AdvancedSending[]> {
    const done: AdvancedSending[] = [];
    for (const before of await this.sendings.unfinished(network)) {
      try {
        let advance: Advance;
        do advance = await this.advanceSending.advance(before.id);
        while (advance === 'moved');
        done.push({ before, after: await this.sendings.find(before.id), advance, error: null });
      } catch (error) {
        done.push({ before, after: null, advance: null, error });
      }
    }
    return done;
  }
}
