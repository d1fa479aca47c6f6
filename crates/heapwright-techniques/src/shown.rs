//! Objects as shown by their `toString`.

use heapwright_explore::StateSpace;
use heapwright_jvm::{Choosing, Exit, Ref, Vm};

/// Returns the results of `toString` for objects, or the reasons why there is none. Open slots get
/// their first values. The machine's state is restored.
pub fn texts_of(
    vm: &mut Vm,
    space: &StateSpace,
    objects: &[Ref],
    step_limit: u64,
) -> Vec<Result<String, String>> {
    vm.with_mark(|vm| {
        let texts = objects.iter();
        let texts = texts.map(|&object| text_of(vm, space, object, step_limit));
        texts.collect()
    })
}

fn text_of(
    vm: &mut Vm,
    space: &StateSpace,
    object: Ref,
    step_limit: u64,
) -> Result<String, String> {
    let declared = vm
        .load_class("java/lang/Object")
        .ok()
        .and_then(|class| vm.declared_method(class, "toString", "()Ljava/lang/String;"))
        .ok_or("there is no toString")?;
    let class = vm.heap.class_of(object);
    let method = vm.select(class, declared).ok_or("there is no toString")?;
    vm.limit_steps(step_limit);
    let mut exit = match vm.call(method, &[object.slot()]) {
        Ok(()) => vm.run(&mut Choosing),
        Err(exit) => exit,
    };
    while let Exit::Choice(number) = exit {
        let entry = space.entries[number as usize];
        let first = space.domains[entry.domain as usize].choices[0];
        vm.choose(entry.object, entry.place, first.slot);
        exit = vm.run(&mut Choosing);
    }
    match exit {
        Exit::Done(0) => Ok("null".to_owned()),
        Exit::Done(text) => Ok(vm.string_text(Ref::from_slot(text))),
        exit => {
            let text = vm.exit_text(&exit);
            vm.abandon();
            Err(text)
        }
    }
}
