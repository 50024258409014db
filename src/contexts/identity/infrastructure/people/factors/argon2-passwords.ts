import { hash, verify, type Options } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { dictionary } from '@zxcvbn-ts/language-common';
import { Passwords } from '#contexts/identity/domain/people/password-rule.js';

/** The second recommendation of the OWASP password storage cheat sheet: 19 MiB, two passes, one lane. Argon2id is 2. */
const PARAMETERS: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'] as readonly string[]);

@Injectable()
export class Argon2Passwords extends Passwords {
  private nobodys: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return hash(password, PARAMETERS);
  }

  async verify(password: string, expected: string | null): Promise<boolean> {
    this.nobodys ??= this.hash('nobody has this password');
    const matches = await verify(expected ?? (await this.nobodys), password);
    return matches && expected !== null;
  }

  isCommon(small: string): boolean {
    return COMMON.has(small);
  }
}
