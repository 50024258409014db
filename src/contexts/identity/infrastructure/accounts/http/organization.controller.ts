import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { Organizations } from '../persistence/organizations.js';

export class OrganizationAnswer {
  @UuidField('Unique id of the organization.')
  id!: string;

  @AnswerField('Name of the organization.', { example: 'Coffee Ltd' })
  name!: string;

  @TimestampField('Time when the operator approved the organization for production. Absent until then.', {
    required: false,
  })
  approved_at?: string;

  @TimestampField('Time of creation.')
  created_at!: string;

  @TimestampField('Time of the last change.')
  updated_at!: string;
}

const ORGANIZATION_EXAMPLE: OrganizationAnswer = {
  id: '0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01',
  name: 'Coffee Ltd',
  approved_at: '2026-01-31T12:00:00.000Z',
  created_at: '2026-01-30T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

@ApiTags('Accounts')
@Controller('v1/organization')
export class OrganizationController {
  constructor(private readonly organizations: Organizations) {}

  @Get()
  @DocumentedOperation('readOrganization', 'Read your organization', {
    description: 'Returns the organization of the credential. Account-level keys can read it too.',
    answer: [OrganizationAnswer, 'The organization.', ORGANIZATION_EXAMPLE],
  })
  async read(@CurrentPrincipal() { scope }: Principal): Promise<OrganizationAnswer> {
    return answerFromView(OrganizationAnswer, await this.organizations.find(scope.organizationId));
  }
}
