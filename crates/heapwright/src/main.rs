//! The command line of Heapwright.

use heapwright_jvm::{Config, Jdk, Plain, Vm};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let jdk = Jdk::at(std::path::Path::new(&args[1])).expect("jdk");
    let mut config = Config::new(jdk, vec![args[2].clone().into()]);
    config.echo = true;
    let start = std::time::Instant::now();
    let mut vm = match Vm::new(config) { Ok(vm) => vm, Err(error) => { println!("{error}"); return } };
    eprintln!("boot {:?} {} steps", start.elapsed(), vm.steps());
    let class = vm.load_class(&args[3].replace('.', "/")).expect("class");
    let _ = class;
    let exit = vm.run_main(&args[3], &[]);
    match exit { Ok(exit) => eprintln!("{}", vm.exit_text(&exit)), Err(error) => eprintln!("{error}") }
    let _ = Plain;
}
