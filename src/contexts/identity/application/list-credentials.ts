import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Credential } from '../domain/credential.js';
import { Credentials } from './credentials.js';

@Injectable()
export class ListCredentials {
  constructor(private readonly credentials: Credentials) {}

  execute(owner: OrganizationId, page: PageRequest): Promise<Page<Credential>> {
    return this.credentials.list(owner, page);
  }
}
