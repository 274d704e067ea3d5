/** Made when the console is built (build/towns.ts): the largest first. */
declare module 'virtual:towns' {
  const towns: readonly (readonly [name: string, lat: number, lng: number, people: number])[]
  export default towns
}
