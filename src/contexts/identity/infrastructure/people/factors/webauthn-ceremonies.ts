import { Injectable } from '@nestjs/common';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import {
  PasskeyCeremonies,
  type Ceremony,
  type Passkey,
} from '#contexts/identity/application/people/second-factors.js';

const NAME = 'Payment collection';

/** A second factor: bound to the dashboard's host, and no matter whether the key asks for a finger or a PIN. */
@Injectable()
export class WebauthnCeremonies extends PasskeyCeremonies {
  private readonly host: string;

  constructor(private readonly settings: DashboardSettings) {
    super();
    this.host = new URL(settings.origin).hostname;
  }

  async beginEnrolment(
    person: { id: string; email: string; name: string },
    known: readonly Passkey[],
  ): Promise<Ceremony> {
    const options = await generateRegistrationOptions({
      rpName: NAME,
      rpID: this.host,
      userID: new TextEncoder().encode(person.id),
      userName: person.email,
      userDisplayName: person.name,
      attestationType: 'none',
      excludeCredentials: known.map(described),
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    });
    return { optionsJson: JSON.stringify(options), challenge: options.challenge };
  }

  async finishEnrolment(answerJson: string, challenge: string) {
    const verified = await orNull(() =>
      verifyRegistrationResponse({
        response: JSON.parse(answerJson) as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.settings.origin,
        expectedRPID: this.host,
        requireUserVerification: false,
      }),
    );
    if (verified?.verified !== true) return null;
    const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey), signCount: counter, transports };
  }

  async beginProof(known: readonly Passkey[]): Promise<Ceremony> {
    const options = await generateAuthenticationOptions({
      rpID: this.host,
      allowCredentials: known.map(described),
      userVerification: 'preferred',
    });
    return { optionsJson: JSON.stringify(options), challenge: options.challenge };
  }

  async finishProof(answerJson: string, challenge: string, known: readonly Passkey[]) {
    const response = await orNull(async () => JSON.parse(answerJson) as AuthenticationResponseJSON);
    const used = known.find(({ credentialId }) => credentialId === response?.id);
    if (response === null || used === undefined) return null;
    const verified = await orNull(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: this.settings.origin,
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

function described({ credentialId, transports }: Passkey) {
  return { id: credentialId, transports: [...transports] as AuthenticatorTransport[] };
}

/** The library throws for every answer that is not valid: such an answer proves nothing. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
