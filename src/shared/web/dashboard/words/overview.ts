import type { Translations } from '../../messages/languages.js';

/** Translations for the overview page and the search. */
export const OVERVIEW_WORDS = {
  Days: ['Días', 'Dias'],
  '{days} days': ['{days} días', '{days} dias'],
  'By day': ['Por día', 'Por dia'],
  'Activity since {time} is not included yet.': [
    'La actividad desde {time} aún no está incluida.',
    'A atividade desde {time} ainda não está incluída.',
  ],
  'Older days are missing until the operator recalculates them.': [
    'Faltan los días más antiguos hasta que el operador los recalcule.',
    'Os dias mais antigos faltam até que o operador os recalcule.',
  ],
  'days must be {one} or {other}. Showing {span} days.': [
    'days debe ser {one} o {other}. Se muestran {span} días.',
    'days deve ser {one} ou {other}. Mostrando {span} dias.',
  ],
  'Nothing was received in {currency} in this period.': [
    'No se recibió nada en {currency} en este periodo.',
    'Nada foi recebido em {currency} neste período.',
  ],
  'Volume in {currency}': ['Volumen en {currency}', 'Volume em {currency}'],
  '{currency} received by day, compared with the previous {span} days': [
    '{currency} recibidos por día, comparados con los {span} días anteriores',
    '{currency} recebidos por dia, comparados com os {span} dias anteriores',
  ],
  'Previous {span} days': ['{span} días anteriores', '{span} dias anteriores'],
  'Payment requests': ['Solicitudes de pago', 'Solicitações de pagamento'],
  'No payment requests in this period.': [
    'No hay solicitudes de pago en este periodo.',
    'Não há solicitações de pagamento neste período.',
  ],
  'Payment requests are created by the API, payment links and subscriptions.': [
    'Las solicitudes de pago se crean con la API, los enlaces de pago y las suscripciones.',
    'As solicitações de pagamento são criadas pela API, por links de pagamento e por assinaturas.',
  ],
  'Payment requests by day created. The lower part of each bar was paid.': [
    'Solicitudes de pago por día de creación. La parte inferior de cada barra se pagó.',
    'Solicitações de pagamento por dia de criação. A parte inferior de cada barra foi paga.',
  ],
  'Paid in full or overpaid': ['Pagadas por completo o de más', 'Pagas por completo ou a mais'],
  'View all payments': ['Ver todos los pagos', 'Ver todos os pagamentos'],
  'Latest payments': ['Últimos pagos', 'Últimos pagamentos'],
  'By status': ['Por estado', 'Por status'],
  Day: ['Día', 'Dia'],
  'Needs attention': ['Requiere tu atención', 'Precisa da sua atenção'],
  'Get started': ['Primeros pasos', 'Primeiros passos'],
  'Set a support contact for payers': [
    'Indica un contacto de soporte para los pagadores',
    'Informe um contato de suporte para os pagadores',
  ],
  'Take a first payment with a payment link': [
    'Cobra un primer pago con un enlace de pago',
    'Receba um primeiro pagamento com um link de pagamento',
  ],
  'Receive payments in your shop by webhook': [
    'Recibe los pagos en tu tienda por webhook',
    'Receba os pagamentos na sua loja por webhook',
  ],
  'Check the webhook': ['Revisar el webhook', 'Verificar o webhook'],
  'View the payment': ['Ver el pago', 'Ver o pagamento'],
  'View the latest payment': ['Ver el último pago', 'Ver o último pagamento'],
  'View webhooks': ['Ver webhooks', 'Ver webhooks'],
  'View the refund': ['Ver el reembolso', 'Ver o reembolso'],
  'View refunds': ['Ver reembolsos', 'Ver reembolsos'],
  Review: ['Revisar', 'Analisar'],
  'Last {span} days': ['Últimos {span} días', 'Últimos {span} dias'],
  'no earlier data': ['sin datos anteriores', 'sem dados anteriores'],
  '{change} vs. the previous {span} days': [
    '{change} respecto a los {span} días anteriores',
    '{change} em relação aos {span} dias anteriores',
  ],
  '{change} points': ['{change} puntos', '{change} pontos'],
  Volume: ['Volumen', 'Volume'],
  'current balance': ['saldo actual', 'saldo atual'],
  'No rate': ['Sin tipo de cambio', 'Sem cotação'],
  pegged: ['vinculado', 'vinculado'],
  'The totals omit {assets}: no rate in {currency} is known.': [
    'Los totales omiten {assets}: no hay tipo de cambio en {currency}.',
    'Os totais omitem {assets}: não há cotação em {currency}.',
  ],
  Conversion: ['Conversión', 'Conversão'],
  'Median time to pay': ['Tiempo mediano de pago', 'Tempo mediano de pagamento'],
  '90 % within {time}': ['el 90 % en {time}', '90 % em até {time}'],
  'more than a day': ['más de un día', 'mais de um dia'],
  'Volume counts all final funds, also funds outside a payment, by the UTC day they were recorded. Conversion is the share of ended payment requests that were paid in full. Today is incomplete.':
    [
      'El volumen suma todos los fondos definitivos, también los recibidos fuera de un pago, por el día UTC en que se registraron. La conversión es la parte de las solicitudes de pago terminadas que se pagaron por completo. El día de hoy está incompleto.',
      'O volume soma todos os fundos definitivos, também os recebidos fora de um pagamento, pelo dia UTC em que foram registrados. A conversão é a parcela das solicitações de pagamento encerradas que foram pagas por completo. O dia de hoje está incompleto.',
    ],
  'On hold': ['Retenido', 'Retido'],
  Float: ['Fondo', 'Fundo'],
  Gas: ['Gas', 'Gás'],
  Approve: ['Aprobar', 'Aprovar'],
  Unclaimed: ['Sin dirección', 'Sem endereço'],
  Unexpected: ['Inesperado', 'Inesperado'],
  '{most} or more': ['{most} o más', '{most} ou mais'],
  '1 webhook failing for 5 days|{count} webhooks failing for 5 days': [
    '1 webhook lleva 5 días con errores|{count} webhooks llevan 5 días con errores',
    '1 webhook com falhas há 5 dias|{count} webhooks com falhas há 5 dias',
  ],
  'Funds at 1 deposit address are on hold: a recorded payment disappeared from the chain|Funds at {count} deposit addresses are on hold: recorded payments disappeared from the chain':
    [
      'Fondos retenidos en 1 dirección de depósito: un pago registrado desapareció de la cadena|Fondos retenidos en {count} direcciones de depósito: hay pagos registrados que desaparecieron de la cadena',
      'Fundos retidos em 1 endereço de depósito: um pagamento registrado desapareceu da rede|Fundos retidos em {count} endereços de depósito: pagamentos registrados desapareceram da rede',
    ],
  'The refund float on {network} does not cover the pending refunds': [
    'El fondo de reembolsos en {network} no cubre los reembolsos pendientes',
    'O fundo de reembolsos na rede {network} não cobre os reembolsos pendentes',
  ],
  'The refund float on {network} has gas for fewer than five refunds': [
    'Al fondo de reembolsos en {network} le queda gas para menos de cinco reembolsos',
    'O fundo de reembolsos na rede {network} tem gás para menos de cinco reembolsos',
  ],
  '1 refund awaiting approval|{count} refunds awaiting approval': [
    '1 reembolso pendiente de aprobación|{count} reembolsos pendientes de aprobación',
    '1 reembolso aguardando aprovação|{count} reembolsos aguardando aprovação',
  ],
  '1 refund awaiting the payer’s address|{count} refunds awaiting the payer’s address': [
    '1 reembolso pendiente de la dirección del pagador|{count} reembolsos pendientes de la dirección del pagador',
    '1 reembolso aguardando o endereço do pagador|{count} reembolsos aguardando o endereço do pagador',
  ],
  '1 underpaid payment: accept it, ask for the remainder, or refund it|{count} underpaid payments: accept them, ask for the remainder, or refund them':
    [
      '1 pago incompleto: acéptalo, pide el resto o reembólsalo|{count} pagos incompletos: acéptalos, pide el resto o reembólsalos',
      '1 pagamento a menos: aceite-o, peça o restante ou reembolse-o|{count} pagamentos a menos: aceite-os, peça o restante ou reembolse-os',
    ],
  '1 overpaid payment: refund the excess|{count} overpaid payments: refund the excess': [
    '1 pago de más: reembolsa el exceso|{count} pagos de más: reembolsa el exceso',
    '1 pagamento a mais: reembolse o excesso|{count} pagamentos a mais: reembolse o excesso',
  ],
  '1 unexpected payment not refunded|{count} unexpected payments not refunded': [
    '1 pago inesperado sin reembolsar|{count} pagos inesperados sin reembolsar',
    '1 pagamento inesperado não reembolsado|{count} pagamentos inesperados não reembolsados',
  ],
  'Money by asset: current balances, and amounts received, settled and refunded in this period': [
    'Dinero por activo: saldos actuales e importes recibidos, liquidados y reembolsados en este periodo',
    'Dinheiro por ativo: saldos atuais e valores recebidos, liquidados e reembolsados neste período',
  ],
  'No final payments yet.': ['Todavía no hay pagos definitivos.', 'Ainda não há pagamentos definitivos.'],
  'Payments stay at deposit addresses until they are settled to your address.': [
    'Los pagos quedan en direcciones de depósito hasta que se liquidan en tu dirección.',
    'Os pagamentos ficam em endereços de depósito até serem liquidados no seu endereço.',
  ],
  'on {network}': ['en {network}', 'na rede {network}'],
  Unsettled: ['Sin liquidar', 'Não liquidado'],
  Settling: ['Liquidándose', 'Em liquidação'],
  'Received, {span} days': ['Recibido ({span} días)', 'Recebido ({span} dias)'],
  'Settled, {span} days': ['Liquidado ({span} días)', 'Liquidado ({span} dias)'],
  'Refunded, {span} days': ['Reembolsado ({span} días)', 'Reembolsado ({span} dias)'],
  'Unsettled: at deposit addresses, including the service fee. Settling: sent, but not final yet. Settled: received by your settlement addresses.':
    [
      'Sin liquidar: en direcciones de depósito, con la comisión del servicio. Liquidándose: enviado, pero aún no definitivo. Liquidado: recibido en tus direcciones de liquidación.',
      'Não liquidado: em endereços de depósito, com a taxa do serviço. Em liquidação: enviado, mas ainda não definitivo. Liquidado: recebido nos seus endereços de liquidação.',
    ],
  'Search results': ['Resultados de la búsqueda', 'Resultados da busca'],
  'No results.': ['Sin resultados.', 'Nenhum resultado.'],
  'All payments': ['Todos los pagos', 'Todos os pagamentos'],
  'Enter the beginning of a payment’s order number, or exactly an id, address, transaction hash, the code of a link or subscription, or the name of an account or point of sale.':
    [
      'Escribe el comienzo del número de pedido de un pago o, completos, un id, una dirección, un hash de transacción, el código de un enlace o suscripción, o el nombre de una cuenta o punto de venta.',
      'Digite o começo do número do pedido de um pagamento ou, por inteiro, um id, um endereço, um hash de transação, o código de um link ou assinatura, ou o nome de uma conta ou ponto de venda.',
    ],
  Result: ['Resultado', 'Resultado'],
  Id: ['Id', 'Id'],
  'Ledger transaction': ['Transacción contable', 'Transação contábil'],
  Settlement: ['Liquidación', 'Liquidação'],
  Webhook: ['Webhook', 'Webhook'],
  'Webhook delivery': ['Entrega de webhook', 'Entrega de webhook'],
} as const satisfies Translations;
