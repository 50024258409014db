// The house rules that a machine can see. Each has a fixture that breaks it: test/architecture.
const context = 'src/contexts/([^/]+)/';
/** A test wires what it tests: its place beside the code is not the code's place in the house. */
const tests = ['\\.(int-)?spec\\.tsx?$', '/testing/'];

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
      comment: 'A use case imports ports; of the framework only Injectable.',
      severity: 'error',
      from: { path: `${context}application/`, pathNot: tests },
      to: {
        path: [
          '/infrastructure/',
          '/shared/platform/',
          '/app/',
          'node_modules/(@nestjs/(?!common)|typeorm|pg|viem|undici|express|preact|qrcode|compression)',
        ],
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
      comment: 'A contract speaks the kernel’s words only.',
      severity: 'error',
      from: { path: `${context}contract/`, pathNot: tests },
      to: { path: 'src/', pathNot: ['src/shared/kernel/', 'src/contexts/$1/contract/'] },
    },
    {
      name: 'allowed-edges-only',
      comment: 'The context map has no cycles: identity and networks know nobody; see docs/context-map.md.',
      severity: 'error',
      from: { path: 'src/contexts/(identity|networks)/' },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/$1/', 'src/contexts/(identity|networks)/'] },
    },
    {
      name: 'point-of-sale-knows-its-elders',
      comment: 'Where money is collected knows who collects it and on which networks, nothing of payments.',
      severity: 'error',
      from: { path: 'src/contexts/point-of-sale/' },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/(point-of-sale|identity|networks)/'] },
    },
    {
      name: 'payments-knows-no-listener',
      comment: 'Ledger and webhooks listen to payments, never the other way round.',
      severity: 'error',
      from: { path: 'src/contexts/payments/' },
      to: { path: 'src/contexts/', pathNot: ['src/contexts/(payments|point-of-sale|identity|networks)/'] },
    },
    {
      name: 'listeners-do-not-meet',
      comment: 'Ledger and webhooks know the facts of payments, not each other.',
      severity: 'error',
      from: { path: 'src/contexts/(ledger|webhooks)/' },
      to: {
        path: 'src/contexts/',
        pathNot: ['src/contexts/$1/', 'src/contexts/(payments|point-of-sale|identity|networks)/'],
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
      to: { path: 'src/(contexts|app|sandbox)/' },
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
      name: 'sandbox-stays-outside',
      severity: 'error',
      comment: 'The local world drives the service; the service does not know it.',
      from: { path: 'src/(contexts|shared|app|main|worker|cli)' },
      to: { path: 'src/sandbox' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
