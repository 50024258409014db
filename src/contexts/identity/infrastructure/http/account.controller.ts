import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiSuccessPage } from '../../../../shared/platform/http/openapi/api-answers.js';
import {
  PageQuery,
  presentPage,
  toPageRequest,
  type PageBody,
} from '../../../../shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '../../../../shared/platform/http/callers/principal.js';
import { Accounts } from '../../domain/account.js';
import { AccountAnswer, presentAccount } from './account.dto.js';

@ApiTags('Accounts')
@Controller('v1/account')
export class AccountController {
  constructor(private readonly accounts: Accounts) {}

  @Get()
  @ApiOperation({
    operationId: 'listAccounts',
    summary: 'List accounts',
    description: 'Oldest first. An account-level key sees its own alone.',
  })
  @ApiSuccessPage(AccountAnswer, {
    description: 'One page of accounts.',
    example: {
      data: [
        {
          id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
          external_id: 'store-berlin',
          name: 'Berlin',
          created_at: '2026-01-31T12:00:00.000Z',
          updated_at: '2026-01-31T12:00:00.000Z',
        },
      ],
      total: 1,
      page: 1,
      page_size: 50,
      total_pages: 1,
    },
  })
  async list(
    @Query() query: PageQuery,
    @CurrentPrincipal() { scope }: Principal,
  ): Promise<PageBody<AccountAnswer>> {
    const wanted = toPageRequest(query);
    return presentPage(await this.accounts.list(scope, wanted), wanted, presentAccount);
  }
}
