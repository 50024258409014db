import { hash, verify, type Options } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { dictionary } from '@zxcvbn-ts/language-common';

/** Argon2id (algorithm 2), as in the OWASP password storage cheat sheet. */
const ARGON2_PARAMETERS: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common'] as readonly string[]);

@Injectable()
export class PasswordHasher {
  private nobodys: Promise<string> | undefined;

  /** About 20 ms of CPU time, so call it outside a unit of work. */
  hash(password: string): Promise<string> {
    return hash(password, ARGON2_PARAMETERS);
  }

  /** @param expected null if the person does not exist: verification then takes equally long and fails */
  async verify(password: string, expected: string | null): Promise<boolean> {
    this.nobodys ??= this.hash('no user has this password');
    const matches = await verify(expected ?? (await this.nobodys), password);
    return matches && expected !== null;
  }

  /** @param small lower case */
  isCommon(small: string): boolean {
    return COMMON_PASSWORDS.has(small);
  }
}
