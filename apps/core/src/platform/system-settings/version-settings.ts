// Software versions, and the models that each is made for: a part of the version that is a list of its own as well.
import { Conflict, fault, NotFound } from '@backhaul/contract/define/errors'
import type { SoftwareVersion, SoftwareVersionProduct } from '@backhaul/contract/nouns/software-versions'
import { compareVersions } from '@backhaul/contract/nouns/versions'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { createSettingStore, namedPage, type SettingStore } from './setting-store.ts'

interface Needs {
  db: Database
  clock: Clock
}

export function createVersionSettings(needs: Needs) {
  const softwareVersions = createSettingStore<SoftwareVersion>(needs, {
    child: 'software_version',
    thing: 'softwareVersion',
    nameOf: ({ number }) => number,
    keyOf: ({ number, inventories }) => [number, ...inventories.toSorted()].join(' '),
    keyField: 'number',
    takenReason: 'softwareVersion.exists',
    check(version, others) {
      if (!others.some((other) => isSameForSomebody(version, other))) return
      const fields = [fault('number', 'field.notUnique')]
      throw new Conflict('softwareVersion.exists', { fields })
    },
  })
  return { softwareVersions, softwareVersionProducts: createVersionProducts(softwareVersions) }
}

/** Two customers may each have a version of one number, but no customer two of them. */
function isSameForSomebody(one: SoftwareVersion, other: SoftwareVersion): boolean {
  if (one.number.toLowerCase() !== other.number.toLowerCase()) return false
  const [first, second] = [one.inventories, other.inventories]
  return first.length === 0 || second.length === 0 || first.some((id) => second.includes(id))
}

const idOf = ({ version, product }: SoftwareVersionProduct) => `${version}~${product}`

function createVersionProducts(
  versions: SettingStore<SoftwareVersion>,
): SettingStore<SoftwareVersionProduct> {
  const sorted = async () => (await versions.all()).sort((a, b) => compareVersions(a.number, b.number))
  const all = async () =>
    (await sorted()).flatMap(({ id: version, products }) =>
      products.map((product) => ({ id: idOf({ version, product }), version, product })),
    )

  async function get(id: string) {
    const found = (await all()).find((one) => one.id === id)
    if (!found) throw new NotFound('association')
    return found
  }
  async function setProducts(
    versionId: string,
    next: (products: readonly string[]) => string[],
  ): Promise<void> {
    const { id, ...version } = await versions.get(versionId)
    await versions.change(id, { ...version, products: next(version.products) })
  }
  async function add(value: SoftwareVersionProduct) {
    await setProducts(value.version, (products) => {
      if (!products.includes(value.product)) return [...products, value.product]
      const fields = [fault('product', 'field.notUnique')]
      throw new Conflict('association.exists', { fields })
    })
    return { id: idOf(value), ...value }
  }
  const take = ({ version, product }: SoftwareVersionProduct) =>
    setProducts(version, (products) => products.filter((one) => one !== product))

  return {
    all,
    get,
    async page(query) {
      const numbers = new Map((await versions.all()).map(({ id, number }) => [id, number]))
      const words = ({ version, product }: SoftwareVersionProduct) => `${numbers.get(version)} ${product}`
      return namedPage(await all(), words, query)
    },
    create: add,
    async change(id, value) {
      const before = await get(id)
      if (idOf(value) === id) return before
      const added = await add(value)
      await take(before)
      return added
    },
    remove: async (id) => await take(await get(id)),
  }
}
