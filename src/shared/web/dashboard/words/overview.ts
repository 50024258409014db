import type { Translations } from './translation.js';

/** The overview and the search. */
export const OVERVIEW_WORDS = {
  Days: ['Días', 'Dias'],
  '{days} days': ['{days} días', '{days} dias'],
  'By day': ['Por día', 'Por dia'],
  'What has happened since {time} is still being counted.': [
    'Lo ocurrido desde {time} todavía se está contando.',
    'O que aconteceu desde {time} ainda está sendo contado.',
  ],
  'Days long past are missing until the operator counts them again.': [
    'Faltan días muy anteriores hasta que el operador los cuente de nuevo.',
    'Faltam dias muito anteriores até que o operador os conte de novo.',
  ],
  'days must be {one} or {other}: these are {span}.': [
    'days debe ser {one} o {other}: estos son {span}.',
    'days deve ser {one} ou {other}: estes são {span}.',
  ],
  'Nothing was received in {currency} in these days.': [
    'No se recibió nada en {currency} en estos días.',
    'Nada foi recebido em {currency} nestes dias.',
  ],
  'Volume in {currency}': ['Volumen en {currency}', 'Volume em {currency}'],
  '{currency} received by day, beside the {span} days before; By day has the numbers': [
    '{currency} recibidos por día, junto a los {span} días anteriores; Por día tiene los números',
    '{currency} recebidos por dia, ao lado dos {span} dias anteriores; Por dia tem os números',
  ],
  '{span} days before': ['{span} días anteriores', '{span} dias anteriores'],
  'Payment requests': ['Solicitudes de pago', 'Solicitações de pagamento'],
  'No payment request was created in this time.': [
    'No se creó ninguna solicitud de pago en este tiempo.',
    'Nenhuma solicitação de pagamento foi criada neste período.',
  ],
  'A request is created by the API, by a payment link or by a subscription.': [
    'La API, un enlace de pago o una suscripción crean las solicitudes.',
    'A API, um link de pagamento ou uma assinatura criam as solicitações.',
  ],
  'Payment requests by day of creation; the lower part of each bar was paid': [
    'Solicitudes de pago por día de creación; la parte inferior de cada barra se pagó',
    'Solicitações de pagamento por dia de criação; a parte inferior de cada barra foi paga',
  ],
  'Paid in full, or more': ['Pagado por completo, o más', 'Pago por completo, ou mais'],
  '{day}: {created} created, {paid} paid': [
    '{day}: {created} creadas, {paid} pagadas',
    '{day}: {created} criadas, {paid} pagas',
  ],
  'By status': ['Por estado', 'Por status'],
  'By UTC day, newest first': [
    'Por día UTC, primero los más recientes',
    'Por dia UTC, primeiro os mais recentes',
  ],
  'Nothing has happened in this time.': [
    'No ha ocurrido nada en este tiempo.',
    'Nada aconteceu neste período.',
  ],
  Day: ['Día', 'Dia'],
  'Needs attention': ['Requiere atención', 'Precisa de atenção'],
  'Nothing waits for you.': ['No hay nada pendiente.', 'Nada está à espera.'],
  'The last {span} days': ['Los últimos {span} días', 'Os últimos {span} dias'],
  'nothing to compare with': ['nada con qué comparar', 'nada com que comparar'],
  '{change} against the {span} days before': [
    '{change} frente a los {span} días anteriores',
    '{change} em relação aos {span} dias anteriores',
  ],
  '{change} points': ['{change} puntos', '{change} pontos'],
  Volume: ['Volumen', 'Volume'],
  Conversion: ['Conversión', 'Conversão'],
  'Paid within': ['Pagado en', 'Pago em'],
  'nine of ten within {time}': ['nueve de diez en {time}', 'nove de dez em {time}'],
  'more than a day': ['más de un día', 'mais de um dia'],
  'Volume is final money, by the UTC day of its booking. Conversion is the share of ended payment requests that were paid in full. Today is not over.':
    [
      'El volumen es dinero definitivo, por el día UTC de su asiento. La conversión es la parte de las solicitudes de pago terminadas que se pagaron por completo. El día de hoy no ha terminado.',
      'O volume é dinheiro definitivo, pelo dia UTC do seu lançamento. A conversão é a parte das solicitações de pagamento encerradas que foram pagas por completo. O dia de hoje não acabou.',
    ],
  Held: ['Retenido', 'Retido'],
  Float: ['Fondo', 'Fundo'],
  Gas: ['Gas', 'Gás'],
  Approve: ['Aprobar', 'Aprovar'],
  Unclaimed: ['Sin reclamar', 'Não resgatado'],
  'Not asked for': ['No solicitado', 'Não solicitado'],
  '{most} or more': ['{most} o más', '{most} ou mais'],
  'A webhook has acknowledged nothing for days|{count} webhooks have acknowledged nothing for days': [
    'Un webhook lleva días sin confirmar nada|{count} webhooks llevan días sin confirmar nada',
    'Um webhook não confirma nada há dias|{count} webhooks não confirmam nada há dias',
  ],
  'Money at a deposit address is held: booked money has disappeared from the chain|Money at {count} deposit addresses is held: booked money has disappeared from the chain':
    [
      'El dinero de una dirección de depósito está retenido: dinero ya asentado desapareció de la cadena|El dinero de {count} direcciones de depósito está retenido: dinero ya asentado desapareció de la cadena',
      'O dinheiro de um endereço de depósito está retido: dinheiro já lançado desapareceu da cadeia|O dinheiro de {count} endereços de depósito está retido: dinheiro já lançado desapareceu da cadeia',
    ],
  'The refund float on {network} does not cover the refunds that wait': [
    'El fondo de reembolsos en {network} no cubre los reembolsos pendientes',
    'O fundo de reembolsos na rede {network} não cobre os reembolsos pendentes',
  ],
  'The refund float on {network} has coin for the gas of less than five refunds': [
    'El fondo de reembolsos en {network} tiene moneda para el gas de menos de cinco reembolsos',
    'O fundo de reembolsos na rede {network} tem moeda para o gás de menos de cinco reembolsos',
  ],
  'A refund waits for your approval|{count} refunds wait for your approval': [
    'Un reembolso espera aprobación|{count} reembolsos esperan aprobación',
    'Um reembolso aguarda aprovação|{count} reembolsos aguardam aprovação',
  ],
  'A refund waits for the payer to claim it|{count} refunds wait for their payers to claim them': [
    'Un reembolso espera a que el pagador lo reclame|{count} reembolsos esperan a que los pagadores los reclamen',
    'Um reembolso espera que o pagador o resgate|{count} reembolsos esperam que os pagadores os resgatem',
  ],
  'Money came late or beside a payment in the last {days} days, and was not refunded|Money came late or beside {count} payments in the last {days} days, and was not refunded':
    [
      'Llegó dinero tarde o aparte de un pago en los últimos {days} días y no se reembolsó|Llegó dinero tarde o aparte de {count} pagos en los últimos {days} días y no se reembolsó',
      'Chegou dinheiro tarde ou à parte de um pagamento nos últimos {days} dias e não foi reembolsado|Chegou dinheiro tarde ou à parte de {count} pagamentos nos últimos {days} dias e não foi reembolsado',
    ],
  'Money by asset: where it is now, and what came and went in these days': [
    'Dinero por activo: dónde está ahora y qué entró y salió en estos días',
    'Dinheiro por ativo: onde está agora e o que entrou e saiu nestes dias',
  ],
  'No payment has become final yet.': [
    'Todavía no hay ningún pago definitivo.',
    'Ainda não há nenhum pagamento definitivo.',
  ],
  'What is paid waits at deposit addresses, and is then settled to your own address.': [
    'Lo pagado espera en direcciones de depósito y después se liquida a la dirección propia.',
    'O que é pago espera em endereços de depósito e depois é liquidado para o endereço próprio.',
  ],
  'on {network}': ['en {network}', 'na rede {network}'],
  Waiting: ['En espera', 'À espera'],
  'In flight': ['En camino', 'A caminho'],
  'Received, {span} days': ['Recibido, {span} días', 'Recebido, {span} dias'],
  'Settled, {span} days': ['Liquidado, {span} días', 'Liquidado, {span} dias'],
  'Refunded, {span} days': ['Reembolsado, {span} días', 'Reembolsado, {span} dias'],
  'Waiting is at deposit addresses, with the service fee. In flight has left them in a block that is not final. Settled is what your settlement addresses received.':
    [
      'En espera está en direcciones de depósito, con la comisión del servicio. En camino salió de ellas en un bloque que no es definitivo. Liquidado es lo que recibieron las direcciones de liquidación.',
      'À espera está em endereços de depósito, com a taxa do serviço. A caminho saiu deles em um bloco que não é definitivo. Liquidado é o que os endereços de liquidação receberam.',
    ],
  'What was found': ['Lo encontrado', 'O que foi encontrado'],
  'Nothing found.': ['No se encontró nada.', 'Nada encontrado.'],
  'All payments': ['Todos los pagos', 'Todos os pagamentos'],
  'Search, whole, for an id of anything; your reference of a payment or subscription; a deposit address; a transaction’s hash; a checkout session; the code of a payment link or subscription; a wallet’s id; or the name of a point of sale or an account.':
    [
      'Buscar, por completo, el id de cualquier cosa; la referencia propia de un pago o una suscripción; una dirección de depósito; el hash de una transacción; una sesión de pago; el código de un enlace de pago o una suscripción; el id de una billetera; o el nombre de un punto de venta o una cuenta.',
      'Busque, por completo, o id de qualquer coisa; a referência própria de um pagamento ou assinatura; um endereço de depósito; o hash de uma transação; uma sessão de pagamento; o código de um link de pagamento ou assinatura; o id de uma carteira; ou o nome de um ponto de venda ou de uma conta.',
    ],
  Found: ['Encontrado', 'Encontrado'],
  What: ['Qué', 'O quê'],
  Id: ['Id', 'Id'],
  'Ledger transaction': ['Asiento contable', 'Lançamento contábil'],
  Settlement: ['Liquidación', 'Liquidação'],
  Webhook: ['Webhook', 'Webhook'],
  'Webhook delivery': ['Entrega de webhook', 'Entrega de webhook'],
} as const satisfies Translations;
