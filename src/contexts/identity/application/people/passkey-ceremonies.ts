import type { Passkey } from './second-factors.js';

/** What the browser is asked, as JSON (WebAuthn 3, section 5.1.8 and 5.1.9), and the challenge in it. */
export interface Ceremony {
  readonly optionsJson: string;
  readonly challenge: string;
}

export abstract class PasskeyCeremonies {
  abstract beginEnrolment(
    person: { id: string; email: string; name: string },
    known: readonly Passkey[],
  ): Promise<Ceremony>;
  /** @returns null for what is no valid answer to the challenge */
  abstract finishEnrolment(
    answerJson: string,
    challenge: string,
  ): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'> | null>;
  abstract beginProof(known: readonly Passkey[]): Promise<Ceremony>;
  /** @returns the passkey that signed and its new counter; null for what is no valid answer to the challenge */
  abstract finishProof(
    answerJson: string,
    challenge: string,
    known: readonly Passkey[],
  ): Promise<{ credentialId: string; signCount: number } | null>;
}
