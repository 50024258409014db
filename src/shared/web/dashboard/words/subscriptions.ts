import type { Translations } from '../../messages/languages.js';

export const SUBSCRIPTION_WORDS = {
  'Subscriptions, newest first': [
    'Suscripciones, primero las más recientes',
    'Assinaturas, primeiro as mais recentes',
  ],
  'Create subscription': ['Crear suscripción', 'Criar assinatura'],
  'No subscriptions with this status.': [
    'No hay suscripciones con este estado.',
    'Não há assinaturas com este status.',
  ],
  'Show all subscriptions': ['Mostrar todas las suscripciones', 'Mostrar todas as assinaturas'],
  'No subscriptions yet.': ['Todavía no hay suscripciones.', 'Ainda não há assinaturas.'],
  'A subscription charges a wallet a fixed amount on each due date, after the payer has accepted it.': [
    'Una suscripción cobra a una billetera un importe fijo en cada vencimiento, después de que el pagador la acepta.',
    'Uma assinatura cobra de uma carteira um valor fixo em cada vencimento, depois que o pagador a aceita.',
  ],
  'Billing interval': ['Frecuencia de cobro', 'Frequência da cobrança'],
  daily: ['cada día', 'por dia'],
  weekly: ['cada semana', 'por semana'],
  monthly: ['cada mes', 'por mês'],
  yearly: ['cada año', 'por ano'],
  'Awaiting acceptance': ['Pendiente de aceptación', 'Aguardando aceitação'],
  'Next due date': ['Próximo vencimiento', 'Próximo vencimento'],
  'The payer’s wallet can accept the subscription for 24 hours. The amount is then charged on each due date.':
    [
      'La billetera del pagador puede aceptar la suscripción durante 24 horas. Después, el importe se cobra en cada vencimiento.',
      'A carteira do pagador pode aceitar a assinatura por 24 horas. Depois, o valor é cobrado em cada vencimento.',
    ],
  'Subscriptions need an online point of sale.': [
    'Las suscripciones necesitan un punto de venta en línea.',
    'As assinaturas precisam de um ponto de venda online.',
  ],
  'Amount per charge': ['Importe por cobro', 'Valor por cobrança'],
  'For example 12.50, in units of the asset.': [
    'Por ejemplo 12.50, en unidades del activo.',
    'Por exemplo 12.50, em unidades do ativo.',
  ],
  'An asset that the point of sale accepts.': [
    'Un activo que acepta el punto de venta.',
    'Um ativo que o ponto de venda aceita.',
  ],
  'Reference (optional)': ['Referencia (opcional)', 'Referência (opcional)'],
  'Your own id for the subscription. Its payments carry it too.': [
    'Tu propio id de la suscripción. Sus pagos también lo llevan.',
    'Seu próprio id para a assinatura. Os pagamentos dela também o trazem.',
  ],
  'First due date (optional)': ['Primer vencimiento (opcional)', 'Primeiro vencimento (opcional)'],
  'In UTC. Default: when the payer accepts.': [
    'En UTC. Por defecto, cuando acepta el pagador.',
    'Em UTC. Padrão: quando o pagador aceita.',
  ],
  'End date (optional)': ['Fecha de fin (opcional)', 'Data de término (opcional)'],
  'In UTC. Nothing is charged on or after this date.': [
    'En UTC. No se cobra nada en esta fecha ni después.',
    'Em UTC. Nada é cobrado nesta data nem depois.',
  ],
  'Subscription created. Send the payer the link to accept it.': [
    'Suscripción creada. Envía al pagador el enlace para que la acepte.',
    'Assinatura criada. Envie ao pagador o link para aceitá-la.',
  ],
  'Subscription revoked. An open payment request stays payable until it expires.': [
    'Suscripción revocada. Una solicitud de pago abierta se puede pagar hasta que caduque.',
    'Assinatura revogada. Uma solicitação de pagamento aberta pode ser paga até expirar.',
  ],
  'Subscription id': ['Id de la suscripción', 'Id da assinatura'],
  Charges: ['Cobros', 'Cobranças'],
  'Charges, newest first': ['Cobros, primero los más recientes', 'Cobranças, primeiro as mais recentes'],
  'No charges yet.': ['Todavía no hay cobros.', 'Ainda não há cobranças.'],
  'The first charge is made on the first due date, once the payer has accepted.': [
    'El primer cobro se hace en el primer vencimiento, cuando el pagador ha aceptado.',
    'A primeira cobrança é feita no primeiro vencimento, depois que o pagador aceita.',
  ],
  'Due date': ['Vencimiento', 'Vencimento'],
  'being created': ['en creación', 'em criação'],
  'Revoked by': ['Revocada por', 'Revogada por'],
  'the merchant': ['el comercio', 'o comerciante'],
  'the wallet': ['la billetera', 'a carteira'],
  'the payer': ['el pagador', 'o pagador'],
  'the service (charges unpaid)': ['el servicio (cobros sin pagar)', 'o serviço (cobranças não pagas)'],
  Wallet: ['Billetera', 'Carteira'],
  'Trial ends': ['Fin de la prueba', 'Fim do período de teste'],
  'End date': ['Fecha de fin', 'Data de término'],
  'Offer expires': ['La oferta caduca', 'A oferta expira'],
  'Stops all future charges. This cannot be undone.': [
    'Detiene todos los cobros futuros. No se puede deshacer.',
    'Interrompe todas as cobranças futuras. Não é possível desfazer.',
  ],
  'Revoke subscription': ['Revocar la suscripción', 'Revogar a assinatura'],
  'Could not create the charge: {reason} It will be retried.': [
    'No se pudo crear el cobro: {reason} Se volverá a intentar.',
    'Não foi possível criar a cobrança: {reason} Uma nova tentativa será feita.',
  ],
  'A subscription needs one.': ['Una suscripción necesita uno.', 'Uma assinatura precisa de um.'],
} as const satisfies Translations;
