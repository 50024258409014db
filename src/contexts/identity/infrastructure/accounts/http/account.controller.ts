import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { KeyedCreations } from '#shared/kernel/keyed-creation.js';
import {
  ApiFailures,
  ApiSuccess,
  ApiSuccessPage,
  linkTo,
} from '#shared/platform/http/openapi/api-answers.js';
import {
  PageQuery,
  presentPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import {
  RequestKey,
  TakesIdempotencyKey,
  type KeyedRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { OrganizationScope } from '#shared/platform/http/callers/route-markers.js';
import { accountInPath } from '#contexts/identity/contract/account-scope-rule.js';
import { ChangeAccount } from '#contexts/identity/application/accounts/change-account.js';
import { CreateAccount } from '#contexts/identity/application/accounts/create-account.js';
import { DeleteAccount } from '#contexts/identity/application/accounts/delete-account.js';
import { Accounts } from '#contexts/identity/domain/accounts/account.js';
import {
  ACCOUNT_EXAMPLE,
  AccountAnswer,
  ChangeAccountBody,
  CreateAccountBody,
  DeletedAccountAnswer,
  described,
  presentAccount,
} from './account.dto.js';

const ACCOUNT = { accountID: '$response.body#/data/id' };

// What is no id answers like an account that the credential may not name, so the path is not validated.
const ApiAccountParam = () =>
  ApiParam({
    name: 'accountID',
    format: 'uuid',
    description: 'The account. An account-level key may name its own alone.',
  });

@ApiTags('Accounts')
@Controller('v1/account')
export class AccountController {
  constructor(
    private readonly accounts: Accounts,
    private readonly answers: IdempotentAnswers,
    private readonly keyedCreations: KeyedCreations,
    private readonly createAccount: CreateAccount,
    private readonly changeAccount: ChangeAccount,
    private readonly deleteAccount: DeleteAccount,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listAccounts',
    summary: 'List accounts',
    description: 'Oldest first. An account-level key sees its own alone.',
  })
  @ApiSuccessPage(AccountAnswer, {
    description: 'One page of accounts.',
    example: [ACCOUNT_EXAMPLE],
  })
  async list(
    @Query() query: PageQuery,
    @CurrentPrincipal() { scope }: Principal,
  ): Promise<PageBody<AccountAnswer>> {
    const paging = toPageRequest(query);
    return presentPage(await this.accounts.list(scope, paging), paging, presentAccount);
  }

  @OrganizationScope()
  @Post()
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'createAccount',
    summary: 'Create an account',
    description:
      'A part of the organization whose money is kept apart. It can be collected on at once, under the settlement terms of ' +
      'the organization.',
  })
  @ApiSuccess(AccountAnswer, {
    description: 'The account.',
    example: ACCOUNT_EXAMPLE,
    links: {
      ...linkTo('readAccount', 'Read it again.', ACCOUNT),
      ...linkTo('changeAccount', 'Give it another name.', ACCOUNT),
      ...linkTo('deleteAccount', 'Delete it.', ACCOUNT),
      ...linkTo('listSettlementAddresses', 'See where its money goes.', ACCOUNT),
    },
  })
  @ApiFailures('organization_scope_required', 'validation_failed', 'state_conflict')
  create(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Body() body: CreateAccountBody,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<AccountAnswer> {
    const account = { organizationId: scope.organizationId, ...described(body), actor, address };
    return this.answers.once(key, presentAccount, (keyed) =>
      this.keyedCreations.run(keyed, () => this.createAccount.execute(account)),
    );
  }

  @Get(':accountID')
  @ApiAccountParam()
  @ApiOperation({
    operationId: 'readAccount',
    summary: 'Read an account',
    description: 'A deleted account is not found.',
  })
  @ApiSuccess(AccountAnswer, { description: 'The account.', example: ACCOUNT_EXAMPLE })
  @ApiFailures('account_not_allowed', 'not_found')
  async read(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') account: string,
  ): Promise<AccountAnswer> {
    return presentAccount(await this.accounts.find(accountInPath(scope, account)));
  }

  @OrganizationScope()
  @Put(':accountID')
  @ApiAccountParam()
  @ApiOperation({
    operationId: 'changeAccount',
    summary: 'Replace name, external id and underpayment tolerance of an account',
    description:
      'Safe to repeat. Transactions that were posted before keep the external id that the account had then, payment requests ' +
      'that were created before the tolerance.',
  })
  @ApiSuccess(AccountAnswer, { description: 'The account as it is now.', example: ACCOUNT_EXAMPLE })
  @ApiFailures('organization_scope_required', 'validation_failed', 'not_found', 'state_conflict')
  async change(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') account: string,
    @Body() body: ChangeAccountBody,
  ): Promise<AccountAnswer> {
    return presentAccount(
      await this.changeAccount.execute({ scope, account, ...described(body), actor, address }),
    );
  }

  @OrganizationScope()
  @Delete(':accountID')
  @ApiAccountParam()
  @ApiOperation({
    operationId: 'deleteAccount',
    summary: 'Delete an account',
    description:
      'For good. Refused while anything is open or unsettled: open payment requests, active payment links, active webhooks, ' +
      'money that was received and not delivered; and for the last account of the organization. Its points of sale and its ' +
      'credentials go with it. Its history stays readable for keys of the organization; what still comes to its addresses ' +
      'becomes a deposit there.',
  })
  @ApiSuccess(DeletedAccountAnswer, {
    description: 'What was deleted.',
    example: { id: ACCOUNT_EXAMPLE.id },
  })
  @ApiFailures('organization_scope_required', 'not_found', 'state_conflict')
  async delete(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') account: string,
  ): Promise<DeletedAccountAnswer> {
    return { id: await this.deleteAccount.execute({ scope, account, actor, address }) };
  }
}
