/** Namespace of the interface; every route address contains it (interface: Versioning). */
export const NAMESPACE = 'cal/events/v1'

/** Our additions to the interface. */
export const OWN_NAMESPACE = 'kalends/v1'

/** Namespace of the few routes that writers of calendars call beside it, in the shape that they expect. */
export const WRITERS_NAMESPACE = 'wp/v2'

/** Namespace of those who expect the newer interface that many calendars speak. */
export const TEC_NAMESPACE = 'tec/v1'

/** Namespaces with routes of their own: none of them can be a further name of another one. */
export const NAMESPACES: readonly string[] = [NAMESPACE, OWN_NAMESPACE, WRITERS_NAMESPACE, TEC_NAMESPACE]
