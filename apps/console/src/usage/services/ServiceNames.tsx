import { useTranslation } from 'react-i18next'
import { labelOf } from './service-texts.ts'

/** Services by their labels, in a row. */
export function ServiceNames({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('services')
  return names.map((name) => labelOf(t, name)).join(', ')
}
