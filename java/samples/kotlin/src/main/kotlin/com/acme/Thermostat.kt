package com.acme

/** Switches a heater on below the wanted temperature, and off above. */
class Thermostat(private val wanted: Int) {
    var isOn = false
        private set

    fun measure(temperature: Int): Boolean {
        when {
            temperature < wanted -> isOn = true
            temperature > wanted -> isOn = false
        }
        return isOn
    }
}

/** Words for a temperature. */
fun describe(temperature: Int): String =
    if (temperature < 10) "cold" else if (temperature > 25) "warm" else "mild"
