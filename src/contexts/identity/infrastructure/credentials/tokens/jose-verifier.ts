import type { webcrypto } from 'node:crypto';
import { jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import passportJwt from 'passport-jwt';
import { isUuid } from '#shared/kernel/ids.js';

/** The options of the strategy that passport-jwt passes on. */
interface VerifierOptions {
  algorithms: string[];
  issuer: string;
  audience: string;
}

type Callback = (error: Error | null, payload?: JWTPayload) => void;

/**
 * Tokens whose signature was proven under that very key: the proof of an hour-long token is made once instead of at
 * every request. Whether it has expired or its credential may still act is asked anew each time.
 */
const proven = new LRUCache<string, { key: webcrypto.CryptoKey; payload: JWTPayload }>({ max: 10_000 });

/** The key under which this very token was proven before; `verify` compares its argument with that key. */
export function provenKeyOf(token: string): webcrypto.CryptoKey | undefined {
  return proven.peek(token)?.key;
}

/**
 * Signature, algorithm, issuer and audience, and that it names a credential. Not the expiry: that is compared with the database's clock once the
 * credential is read, so that a process with a wrong clock neither refuses good tokens nor takes old ones.
 */
function verify(token: string, key: webcrypto.CryptoKey, options: VerifierOptions, done: Callback): void {
  const known = proven.get(token);
  if (known !== undefined && known.key === key) return done(null, known.payload);
  jwtVerify(token, key, {
    algorithms: options.algorithms,
    issuer: options.issuer,
    audience: options.audience,
    typ: 'JWT',
    requiredClaims: ['sub', 'exp'],
    currentDate: new Date(0),
  }).then(
    ({ payload }) => {
      if (typeof payload.sub !== 'string' || !isUuid(payload.sub))
        return done(new Error('The token names no credential.'));
      proven.set(token, { key, payload });
      done(null, payload);
    },
    (error: Error) => done(error),
  );
}

/** passport-jwt's own verifier is many times slower; the hook is its only way to another. */
export function useJoseVerifier(): void {
  (passportJwt as unknown as { Strategy: { JwtVerifier: typeof verify } }).Strategy.JwtVerifier = verify;
}
