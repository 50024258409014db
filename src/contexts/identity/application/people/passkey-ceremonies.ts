import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey } from '../../domain/people/second-factors.js';

const RELYING_PARTY_NAME = 'Payment collection';

/** Options as JSON (WebAuthn 3, sections 5.1.8 and 5.1.9). */
export interface PasskeyCeremony {
  readonly optionsJson: string;
  readonly challenge: string;
}

/** Passkeys are bound to the dashboard's host; fingerprint or PIN is optional. */
export class PasskeyCeremonies {
  private readonly host: string;

  constructor(private readonly origin: string) {
    this.host = new URL(origin).hostname;
  }

  async beginEnrolment(
    person: { id: string; email: string; name: string },
    known: readonly Passkey[],
  ): Promise<PasskeyCeremony> {
    const options = await generateRegistrationOptions({
      rpName: RELYING_PARTY_NAME,
      rpID: this.host,
      userID: new TextEncoder().encode(person.id),
      userName: person.email,
      userDisplayName: person.name,
      attestationType: 'none',
      excludeCredentials: known.map(describePasskey),
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    });
    return { optionsJson: JSON.stringify(options), challenge: options.challenge };
  }

  /** @returns null if the response does not match the challenge */
  async finishEnrolment(answerJson: string, challenge: string) {
    const verified = await nullIfInvalid(() =>
      verifyRegistrationResponse({
        response: JSON.parse(answerJson) as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        requireUserVerification: false,
      }),
    );
    if (verified?.verified !== true) return null;
    const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey), signCount: counter, transports };
  }

  async beginAuthentication(known: readonly Passkey[]): Promise<PasskeyCeremony> {
    const options = await generateAuthenticationOptions({
      rpID: this.host,
      allowCredentials: known.map(describePasskey),
      userVerification: 'preferred',
    });
    return { optionsJson: JSON.stringify(options), challenge: options.challenge };
  }

  /** @returns the passkey and its new counter; null if the response does not match the challenge */
  async finishAuthentication(answerJson: string, challenge: string, known: readonly Passkey[]) {
    const response = await nullIfInvalid(async () => JSON.parse(answerJson) as AuthenticationResponseJSON);
    const used = known.find(({ credentialId }) => credentialId === response?.id);
    if (response === null || used === undefined) return null;
    const verified = await nullIfInvalid(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        requireUserVerification: false,
        credential: {
          id: used.credentialId,
          publicKey: new Uint8Array(used.publicKey),
          counter: used.signCount,
          transports: [...used.transports] as AuthenticatorTransport[],
        },
      }),
    );
    if (verified?.verified !== true) return null;
    return { credentialId: used.credentialId, signCount: verified.authenticationInfo.newCounter };
  }
}

function describePasskey({ credentialId, transports }: Passkey) {
  return { id: credentialId, transports: [...transports] as AuthenticatorTransport[] };
}

/** The library throws for every invalid response. */
async function nullIfInvalid<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
