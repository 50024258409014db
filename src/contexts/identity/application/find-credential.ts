import { Injectable } from '@nestjs/common';
import type { Credential } from '../domain/credential.js';
import { Credentials } from './credentials.js';

/** By id or key id, whoever owns it: for the operator alone. */
@Injectable()
export class FindCredential {
  constructor(private readonly credentials: Credentials) {}

  execute(idOrKeyId: string): Promise<Credential> {
    return this.credentials.find(idOrKeyId);
  }
}
