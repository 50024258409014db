// The house rules that a machine can see. Each has a fixture that breaks it: test/architecture.
const context = 'src/contexts/([^/]+)/';
/** A test wires what it tests: its place beside the code is not the code's place in the house. */
const tests = ['\\.(int-)?spec\\.tsx?$', '/testing/'];

/** A folder of one of these slices of payments, in whichever layer, and the module file of each. */
function slices(names) {
  return `src/contexts/payments/((domain|application|infrastructure)/)?(${names})(/|\\.module\\.ts$)`;
}

/** A folder of one of these slices of webhooks, in whichever layer. */
function webhookSlices(names) {
  return `src/contexts/webhooks/(domain|application|infrastructure)/(${names})/`;
}

/** A folder of one of these slices of settlement, in whichever layer, and the module file of each. */
function settlementSlices(names) {
  return `src/contexts/settlement/((domain|application|infrastructure)/)?(${names})(/|\\.module\\.ts$)`;
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'Business rules depend on nothing that can change for technical reasons.',
      severity: 'error',
      from: { path: `${context}domain/`, pathNot: tests },
      to: {
        path: [
          '/application/',
          '/infrastructure/',
          '/shared/platform/',
          '/app/',
          'node_modules/(@nestjs|typeorm|pg|viem|undici|express|preact|qrcode|compression)/',
        ],
      },
    },
    {
      name: 'domain-does-no-io',
      comment: 'Time, chance, files and sockets come in as arguments.',
      severity: 'error',
      from: { path: `${context}domain/`, pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'application-knows-no-technology',
      comment:
        'A use case imports ports and the stores of its own context; of the framework only Injectable.',
      severity: 'error',
      from: { path: `${context}application/`, pathNot: tests },
      to: {
        path: [
          '/infrastructure/',
          '/shared/platform/',
          '/app/',
          'node_modules/(@nestjs/(?!common)|typeorm|pg|viem|undici|express|preact|qrcode|compression)',
        ],
        pathNot: 'src/contexts/$1/infrastructure/.*persistence/',
      },
    },
    {
      name: 'contexts-meet-in-contracts',
      comment: 'What others may know of a context is its contract.',
      severity: 'error',
      from: { path: context, pathNot: ['\\.module\\.ts$', ...tests] },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/$1/', 'src/contexts/[^/]+/contract/'] },
    },
    {
      name: 'modules-wire-modules',
      comment: 'A module file may name another context’s module, nothing else of it.',
      severity: 'error',
      from: { path: `${context}[^/]+\\.module\\.ts$` },
      to: {
        path: 'src/contexts/',
        pathNot: [
          'src/contexts/$1/',
          'src/contexts/[^/]+/contract/',
          'src/contexts/[^/]+/[^/]+\\.module\\.ts$',
        ],
      },
    },
    {
      name: 'contracts-stand-alone',
      comment: 'A contract uses only the kernel.',
      severity: 'error',
      from: { path: `${context}contract/`, pathNot: ['src/contexts/chain-watching/', ...tests] },
      to: { path: 'src/', pathNot: ['src/shared/kernel/', 'src/contexts/$1/contract/'] },
    },
    {
      name: 'allowed-edges-only',
      comment:
        'The context map has no cycles: identity and networks know nobody; see docs/concepts/context-map.md.',
      severity: 'error',
      from: { path: 'src/contexts/(identity|networks)/' },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/$1/', 'src/contexts/(identity|networks)/'] },
    },
    {
      name: 'chain-types-stand-behind-networks',
      comment:
        'A chain type implements the ports of networks. It knows neither its infrastructure, except settings, nor another context.',
      severity: 'error',
      from: { path: 'src/chains/', pathNot: tests },
      to: {
        path: 'src/(contexts|app|dashboard)/',
        pathNot: [
          'src/contexts/networks/(contract|domain|application)/',
          'src/contexts/networks/infrastructure/(networks-settings|configuration/configuration-reader)\\.ts$',
        ],
      },
    },
    {
      name: 'chain-types-do-not-meet',
      comment: 'A chain type can be removed without a change to another one.',
      severity: 'error',
      from: { path: 'src/chains/(evm|bitcoin|tron)/', pathNot: tests },
      to: { path: 'src/chains/', pathNot: 'src/chains/($1|rpc|ethereum-rpc|forwarders)/' },
    },
    {
      name: 'shared-chain-code-knows-no-chain-type',
      comment: 'What several chain types use works without any of them.',
      severity: 'error',
      from: { path: 'src/chains/(rpc|ethereum-rpc|forwarders)/', pathNot: tests },
      to: { path: 'src/chains/', pathNot: 'src/chains/(rpc|ethereum-rpc|forwarders)/' },
    },
    {
      name: 'networks-module-installs-chain-types',
      comment: 'Others use a chain through the contract of networks.',
      severity: 'error',
      from: {
        path: 'src/',
        pathNot: [
          'src/chains/',
          'src/contexts/networks/(networks\\.module|infrastructure/configuration/parse-networks-configuration)\\.ts$',
          ...tests,
        ],
      },
      to: { path: 'src/chains/' },
    },
    {
      name: 'point-of-sale-knows-its-elders',
      comment:
        'Where money is collected knows who collects it, on which networks and in which currencies, nothing of payments.',
      severity: 'error',
      from: { path: 'src/contexts/point-of-sale/' },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/(point-of-sale|identity|networks|rates)/'] },
    },
    {
      name: 'payments-knows-no-listener',
      comment: 'Ledger and webhooks listen to payments, never the other way round.',
      severity: 'error',
      from: { path: 'src/contexts/payments/' },
      to: {
        path: 'src/contexts/',
        pathNot: ['src/contexts/(payments|chain-watching|rates|point-of-sale|identity|networks)/'],
      },
    },
    {
      name: 'settlement-knows-no-listener',
      comment:
        'Settlement delivers what payments collected; ledger and webhooks listen to it, never the other way round.',
      severity: 'error',
      from: { path: 'src/contexts/settlement/' },
      to: {
        path: 'src/contexts/',
        pathNot: ['src/contexts/(settlement|payments|chain-watching|rates|point-of-sale|identity|networks)/'],
      },
    },
    {
      name: 'subscriptions-know-payments-and-elders',
      comment:
        'A subscription has payment requests opened; what is delivered or booked of them is not its business.',
      severity: 'error',
      from: { path: 'src/contexts/subscriptions/' },
      to: {
        path: 'src/contexts/',
        pathNot: ['src/contexts/(subscriptions|payments|point-of-sale|identity|networks)/'],
      },
    },
    {
      name: 'settling-knows-no-refunds',
      comment: 'What was collected is delivered whether or not anything is refunded.',
      severity: 'error',
      from: { path: settlementSlices('settling'), pathNot: tests },
      to: { path: settlementSlices('refunds') },
    },
    {
      name: 'refunds-know-no-settling',
      comment: 'Refunds are paid from floats of their own, whatever has been delivered.',
      severity: 'error',
      from: { path: settlementSlices('refunds'), pathNot: tests },
      to: { path: settlementSlices('settling') },
    },
    {
      name: 'chain-watching-knows-networks-only',
      comment: 'It declares in its contract what it requires of payments, which implements that.',
      severity: 'error',
      from: { path: 'src/contexts/chain-watching/', pathNot: tests },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/(chain-watching|networks)/'] },
    },
    {
      name: 'contract-of-chain-watching-knows-contracts-only',
      comment: 'An incoming transfer names its address as networks does.',
      severity: 'error',
      from: { path: 'src/contexts/chain-watching/contract/' },
      to: {
        path: 'src/',
        pathNot: ['src/shared/kernel/', 'src/contexts/(chain-watching|networks)/contract/'],
      },
    },
    {
      name: 'rates-know-networks-only',
      comment: 'A rate is of an asset of the catalogue; who asks for it is not its business.',
      severity: 'error',
      from: { path: 'src/contexts/rates/', pathNot: tests },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/(rates|networks)/'] },
    },
    {
      name: 'requests-know-no-slice',
      comment: 'A payment request is what all other capabilities of payments stand on.',
      severity: 'error',
      from: { path: slices('requests'), pathNot: tests },
      to: { path: slices('evaluation|audit|checkout|links|till-codes|authorizations|receipts|explanation') },
    },
    {
      name: 'evaluation-knows-requests-only',
      comment:
        'An evaluation depends on transfers and requests, not on how a request was created or is displayed.',
      severity: 'error',
      from: { path: slices('evaluation|audit'), pathNot: tests },
      to: { path: slices('checkout|links|till-codes|authorizations|receipts|explanation') },
    },
    {
      name: 'checkout-knows-requests-only',
      comment: 'A checkout is a request with a page; it reads no chain and knows of no link.',
      severity: 'error',
      from: { path: slices('checkout'), pathNot: tests },
      to: { path: slices('evaluation|audit|links|till-codes|authorizations|receipts|explanation') },
    },
    {
      name: 'links-know-checkout-and-requests',
      comment: 'A payment link opens checkouts.',
      severity: 'error',
      from: { path: slices('links'), pathNot: tests },
      to: { path: slices('evaluation|audit|till-codes|authorizations|receipts|explanation') },
    },
    {
      name: 'till-codes-know-links-checkout-and-requests',
      comment: 'A till code opens checkouts, whose number is limited as that of payment links is.',
      severity: 'error',
      from: { path: slices('till-codes'), pathNot: tests },
      to: { path: slices('evaluation|audit|authorizations|receipts|explanation') },
    },
    {
      name: 'authorizations-know-checkout-and-requests',
      comment:
        'A payment by signature pays the selected asset of a checkout; the watcher sees it as any other.',
      severity: 'error',
      from: { path: slices('authorizations'), pathNot: tests },
      to: { path: slices('evaluation|audit|links|till-codes|receipts|explanation') },
    },
    {
      name: 'receipts-know-checkout-and-requests',
      comment: 'A receipt states what a request has received; how it was opened does not matter to it.',
      severity: 'error',
      from: { path: slices('receipts'), pathNot: tests },
      to: { path: slices('evaluation|audit|links|till-codes|authorizations|explanation') },
    },
    {
      name: 'explanation-knows-requests-only',
      comment: 'An explanation reads requests and the progress of reading networks. It changes nothing.',
      severity: 'error',
      from: { path: slices('explanation'), pathNot: tests },
      to: {
        path: slices('evaluation|audit|checkout|links|till-codes|authorizations|receipts'),
      },
    },
    {
      name: 'endpoints-know-no-slice',
      comment: 'Whether a URL leads to the public internet depends on nothing of webhooks.',
      severity: 'error',
      from: { path: webhookSlices('endpoints'), pathNot: tests },
      to: { path: webhookSlices('registration|events|delivery|redelivery|destinations') },
    },
    {
      name: 'registration-knows-endpoints-only',
      comment: 'A webhook is registered, changed and deleted without knowing how its deliveries are sent.',
      severity: 'error',
      from: { path: webhookSlices('registration'), pathNot: tests },
      to: { path: webhookSlices('events|delivery|redelivery|destinations') },
    },
    {
      name: 'events-know-registration-only',
      comment: 'The merchant event log records events whether or not a delivery follows.',
      severity: 'error',
      from: { path: webhookSlices('events'), pathNot: tests },
      to: { path: webhookSlices('endpoints|delivery|redelivery|destinations') },
    },
    {
      name: 'delivery-knows-no-redelivery',
      comment: 'A delivery is sent in the same way whoever queued it.',
      severity: 'error',
      from: { path: webhookSlices('delivery'), pathNot: tests },
      to: { path: webhookSlices('redelivery|destinations') },
    },
    {
      name: 'destinations-know-events-only',
      comment: 'Brokers follow the merchant event log, whatever webhooks there are.',
      severity: 'error',
      from: { path: webhookSlices('destinations'), pathNot: tests },
      to: { path: webhookSlices('endpoints|registration|delivery|redelivery') },
    },
    {
      name: 'redelivery-knows-no-endpoints',
      comment: 'A redelivery queues deliveries; where they go is decided at each attempt.',
      severity: 'error',
      from: { path: webhookSlices('redelivery'), pathNot: tests },
      to: { path: webhookSlices('endpoints|destinations') },
    },
    {
      name: 'naspip-stands-alone',
      comment: 'The payment token’s protocol knows nothing of this service but the kernel.',
      severity: 'error',
      from: { path: 'src/shared/naspip/', pathNot: tests },
      to: {
        pathNot: [
          'src/shared/(naspip|kernel)/',
          'node_modules/@bufbuild/protobuf/',
          '^(node:)?crypto$',
          '^(node:)?buffer$',
        ],
      },
    },
    {
      name: 'web-shows-only',
      comment: 'What pages share knows no context, no HTTP server and no database.',
      severity: 'error',
      from: { path: 'src/shared/web/', pathNot: tests },
      to: { path: ['src/shared/platform/', 'node_modules/(@nestjs|express|typeorm|pg)/'] },
    },
    {
      name: 'listeners-do-not-meet',
      comment:
        'Ledger, webhooks and analytics know the facts of payments, settlement and subscriptions, not each other. The ledger asks for rates.',
      severity: 'error',
      from: { path: 'src/contexts/(ledger|webhooks|analytics)/', pathNot: tests },
      to: {
        path: 'src/contexts/',
        pathNot: [
          'src/contexts/$1/',
          'src/contexts/(settlement|subscriptions|payments|chain-watching|point-of-sale|identity|networks|rates)/',
        ],
      },
    },
    {
      name: 'ledger-knows-no-subscriptions',
      comment: 'A charge is booked as the payment request that it is paid by.',
      severity: 'error',
      from: { path: 'src/contexts/ledger/' },
      to: { path: 'src/contexts/subscriptions/' },
    },
    {
      name: 'webhooks-know-events-of-subscriptions',
      comment: 'The merchant event log records what became of a subscription, and asks it nothing.',
      severity: 'error',
      from: { path: 'src/contexts/webhooks/', pathNot: tests },
      to: {
        path: 'src/contexts/subscriptions/',
        pathNot: 'src/contexts/subscriptions/contract/subscription-events\\.ts$',
      },
    },
    {
      name: 'till-is-a-client',
      comment: 'The till takes payments through the API and the contract of payments, at points of sale.',
      severity: 'error',
      from: { path: 'src/contexts/till/' },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/(till|payments|point-of-sale|identity)/'] },
    },
    {
      name: 'notifications-know-facts-of-money',
      comment:
        'A notification reports payments and refunds, and reads published views. It changes nothing. Chats are reached like webhooks.',
      severity: 'error',
      from: { path: 'src/contexts/notifications/', pathNot: tests },
      to: {
        path: 'src/contexts/',
        pathNot: [
          'src/contexts/(notifications|identity|networks)/',
          'src/contexts/(payments|settlement)/contract/.*-events\\.ts$',
          'src/contexts/webhooks/(contract/|webhooks\\.module\\.ts$)',
        ],
      },
    },
    {
      name: 'contexts-do-not-know-the-composition',
      comment: 'What wires the contexts together is not their business.',
      severity: 'error',
      from: { path: context, pathNot: tests },
      to: { path: 'src/(app|main|worker|cli)' },
    },
    {
      name: 'shared-knows-no-context',
      severity: 'error',
      comment: 'What is shared serves every context alike.',
      from: { path: 'src/shared/', pathNot: tests },
      to: { path: ['src/(contexts|app)/', '^sandbox/'] },
    },
    {
      name: 'kernel-stands-alone',
      severity: 'error',
      comment: 'The kernel is pure TypeScript (with UUIDs, hashes, IP addresses and the list of currencies).',
      from: { path: 'src/shared/kernel/', pathNot: tests },
      to: {
        pathNot: ['src/shared/kernel/', 'node_modules/(uuid|@noble/hashes|ipaddr\\.js|currency-codes)/'],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle has no bottom to read from.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'platform-folders-have-no-cycles',
      severity: 'error',
      scope: 'folder',
      comment: 'Each folder of the platform can be read without the folders that use it.',
      from: { path: '^src/shared/platform/([^/]+)' },
      to: { circular: true, path: '^src/shared/platform/', pathNot: '^src/shared/platform/$1(/|$)' },
    },
    {
      name: 'http-is-on-top-of-the-platform',
      severity: 'error',
      comment: 'The rest of the platform serves processes without HTTP.',
      from: { path: '^src/shared/platform/(?!http/|platform\\.module)' },
      to: { path: '^src/shared/platform/http/' },
    },
    {
      name: 'no-barrels',
      severity: 'error',
      comment: 'Import from the file that has the thing.',
      from: {},
      to: { path: 'src/.*/index\\.tsx?$' },
    },
    {
      name: 'no-rooms-for-anything',
      severity: 'error',
      comment: 'Folders are named for what is in them.',
      from: {},
      to: { path: 'src/.*/(utils?|common|helpers?)/' },
    },
    {
      name: 'testing-stays-in-tests',
      severity: 'error',
      comment: 'What exists for tests never runs in production.',
      from: { path: 'src/', pathNot: tests },
      to: { path: ['/testing/', '(^|/)test/', '\\.(int-)?spec\\.tsx?$'] },
    },
    {
      name: 'client-stands-alone',
      severity: 'error',
      comment:
        'The packages of merchants are installed without the service: the client knows the types of the API, openapi-fetch and Node.',
      from: { path: '^clients/([^/]+)/src/' },
      to: {
        path: '.',
        pathNot: [
          '^clients/$1/src/',
          '(^|/)openapi/openapi\\.',
          'node_modules/openapi-fetch/',
          // By the name of its package.
          '^clients/typescript/src/index\\.ts$',
          // The parts that the shop plugins share are compiled into their packages.
          '^clients/plugin-contract/src/',
          '^@medusajs/framework/',
          '^(@vendure/core|@nestjs/graphql|graphql)$',
          // Vendure brings these.
          'node_modules/(@nestjs/common|express)/',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'sandbox-stays-outside',
      severity: 'error',
      comment: 'The local world drives the service; the service does not know it.',
      from: { path: 'src/(contexts|shared|app|main|worker|cli)' },
      to: { path: '^sandbox/' },
    },
    {
      name: 'service-knows-no-client',
      severity: 'error',
      comment:
        'The merchants’ package calls the service; of the service’s own parts only the sandbox uses it.',
      from: { path: '^src/(contexts|shared|app|dashboard|main|worker|cli)' },
      to: { path: '^clients/' },
    },
    {
      name: 'sandbox-is-a-customer',
      severity: 'error',
      comment:
        'The local world uses what an operator and a merchant have: commands, the public API, contracts. The ' +
        'environment has one reader in the whole repository.',
      from: { path: '^sandbox/' },
      to: {
        path: '^src/(contexts|chains|app|main|worker|cli)',
        pathNot: [
          '^src/contexts/[^/]+/contract/',
          // The sandbox mines regtest blocks.
          '^src/chains/bitcoin/encoding/',
          '^src/app/operator/operator-command-runner\\.ts$',
          '^src/app/settings/environment\\.ts$',
        ],
      },
    },
  ],
  options: {
    // Tests import the composition: followed, they would close a cycle through every folder that has one.
    doNotFollow: { path: ['node_modules', '^test/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
