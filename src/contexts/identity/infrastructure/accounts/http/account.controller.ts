import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IdempotentCreations } from '#shared/kernel/idempotent-creation.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import {
  PageQuery,
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import {
  IdempotencyKeyParam,
  type IdempotentRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { RequireOrganizationScope } from '#shared/platform/http/callers/route-markers.js';
import { ApiPathId } from '#shared/platform/http/validation/uuid-param.js';
import { scopeOfPathAccount } from '#contexts/identity/contract/account-scope-rule.js';
import { ChangeMerchantAccount } from '#contexts/identity/application/accounts/change-merchant-account.js';
import { CreateMerchantAccount } from '#contexts/identity/application/accounts/create-merchant-account.js';
import { DeleteMerchantAccount } from '#contexts/identity/application/accounts/delete-merchant-account.js';
import { MerchantAccounts } from '../persistence/merchant-accounts.js';
import {
  ACCOUNT_EXAMPLE,
  AccountAnswer,
  ChangeAccountBody,
  CreateAccountBody,
  DeletedAccountAnswer,
  toAccountInput,
  presentAccount,
} from './account.dto.js';

const ACCOUNT_LINK_PARAMETERS = { accountID: '$response.body#/data/id' };

// Text that is not a UUID gets the same response as an account outside the credential's scope.
const ApiAccountId = () =>
  ApiPathId('accountID', 'Id of the account. An account-level key can use only its own account.');

@ApiTags('Accounts')
@Controller('v1/account')
export class AccountController {
  constructor(
    private readonly accounts: MerchantAccounts,
    private readonly answers: IdempotentAnswers,
    private readonly idempotentCreations: IdempotentCreations,
    private readonly createMerchantAccount: CreateMerchantAccount,
    private readonly changeMerchantAccount: ChangeMerchantAccount,
    private readonly deleteMerchantAccount: DeleteMerchantAccount,
  ) {}

  @Get()
  @DocumentedOperation('listAccounts', 'List accounts', {
    description: 'Returns accounts, oldest first. An account-level key sees only its own account.',
    page: [AccountAnswer, 'A page of accounts.', [ACCOUNT_EXAMPLE]],
  })
  async list(
    @Query() query: PageQuery,
    @CurrentPrincipal() { scope }: Principal,
  ): Promise<PageBody<AccountAnswer>> {
    const paging = toPageRequest(query);
    return presentListPage(await this.accounts.list(scope, paging), paging, presentAccount);
  }

  @RequireOrganizationScope()
  @Post()
  @DocumentedOperation('createAccount', 'Create an account', {
    description:
      'Creates an account: a part of your organization whose funds are kept separate. The account can receive ' +
      'payments immediately, under the organization’s settlement terms.\n\n' +
      'Returns 409 `state_conflict` if `external_id` has already been used.',
    answer: [AccountAnswer, 'The new account.', ACCOUNT_EXAMPLE],
    links: {
      ...operationLinkTo('readAccount', 'Read the account.', ACCOUNT_LINK_PARAMETERS),
      ...operationLinkTo('changeAccount', 'Update the account.', ACCOUNT_LINK_PARAMETERS),
      ...operationLinkTo('deleteAccount', 'Delete the account.', ACCOUNT_LINK_PARAMETERS),
      ...operationLinkTo(
        'listSettlementAddresses',
        'List its settlement addresses.',
        ACCOUNT_LINK_PARAMETERS,
      ),
    },
    errors: ['state_conflict'],
  })
  create(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Body() body: CreateAccountBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<AccountAnswer> {
    const account = { organizationId: scope.organizationId, ...toAccountInput(body), actor, address };
    return this.answers.answerOnce(key, presentAccount, (idempotency) =>
      this.idempotentCreations.run(idempotency, () => this.createMerchantAccount.create(account)),
    );
  }

  @Get(':accountID')
  @ApiAccountId()
  @DocumentedOperation('readAccount', 'Read an account', {
    description: 'Returns 404 `not_found` if the account was deleted.',
    answer: [AccountAnswer, 'The account.', ACCOUNT_EXAMPLE],
    errors: ['account_not_allowed', 'not_found'],
  })
  async read(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') account: string,
  ): Promise<AccountAnswer> {
    return presentAccount(await this.accounts.find(scopeOfPathAccount(scope, account)));
  }

  @RequireOrganizationScope()
  @Put(':accountID')
  @ApiAccountId()
  @DocumentedOperation('changeAccount', 'Update an account', {
    description:
      'Replaces the name, the external id and the underpayment tolerance. An optional field that you omit is ' +
      'removed. Existing transactions keep the external id that they were recorded with, and existing payment ' +
      'requests keep the tolerance that they were created with. Safe to repeat.\n\n' +
      'Returns 409 `state_conflict` if `external_id` has already been used.',
    answer: [AccountAnswer, 'The updated account.', ACCOUNT_EXAMPLE],
    errors: ['not_found', 'state_conflict'],
  })
  async change(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') account: string,
    @Body() body: ChangeAccountBody,
  ): Promise<AccountAnswer> {
    return presentAccount(
      await this.changeMerchantAccount.change({ scope, account, ...toAccountInput(body), actor, address }),
    );
  }

  @RequireOrganizationScope()
  @Delete(':accountID')
  @ApiAccountId()
  @DocumentedOperation('deleteAccount', 'Delete an account', {
    description:
      'Permanently deletes the account, its points of sale and its credentials. Organization-level keys can ' +
      'still read its history. Funds that are sent to its addresses after the deletion are recorded as ' +
      'deposits.\n\n' +
      'Returns 409 `state_conflict` if the account has open payment requests, subscriptions, refunds or refund ' +
      'float withdrawals, active payment links or webhooks, or unsettled funds. The organization’s last ' +
      'account cannot be deleted either.',
    answer: [DeletedAccountAnswer, 'The id of the deleted account.', { id: ACCOUNT_EXAMPLE.id }],
    errors: ['not_found', 'state_conflict'],
  })
  async delete(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') account: string,
  ): Promise<DeletedAccountAnswer> {
    return { id: await this.deleteMerchantAccount.delete({ scope, account, actor, address }) };
  }
}
